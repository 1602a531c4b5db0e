"""Pages of one's own account."""

from django.contrib.auth.views import LogoutView
from django.urls import path

from apps.accounts.views import SignInView, set_language

app_name = "accounts"
urlpatterns = [
    path("login/", SignInView.as_view(), name="login"),
    path("logout/", LogoutView.as_view(), name="logout"),
    path("language/", set_language, name="language"),
]
