"""Paths below `/api/`."""

from django.urls import path

from apps.conversations.api import views

ROOT = "ai/chat/conversations/"
ONE = f"{ROOT}<str:conversation_id>/"

urlpatterns = [
    path(ROOT, views.ConversationListView.as_view(), name="conversations"),
    path(ONE, views.ConversationDetailView.as_view(), name="conversation"),
    path(f"{ONE}messages/", views.MessageListView.as_view(), name="conversation-messages"),
    path(f"{ONE}runs/<str:run_id>/stop", views.StopRunView.as_view(), name="conversation-stop"),
]
