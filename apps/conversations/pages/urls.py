"""Addresses of the chat page."""

from django.urls import path

from apps.conversations.pages import changes, views

ONE = "c/<str:conversation_id>/"

urlpatterns = [
    path("", views.front, name="home"),
    path("chat/<str:code>/", views.new_conversation, name="chat-new"),
    path(ONE, views.conversation, name="chat"),
    path(f"{ONE}rename/", changes.rename, name="chat-rename"),
    path(f"{ONE}delete/", changes.delete, name="chat-delete"),
]
