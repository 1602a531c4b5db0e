"""The endpoints of conversations and nothing else, for their schema."""

from django.urls import include, path

urlpatterns = [path("api/", include("apps.conversations.api.urls"))]
