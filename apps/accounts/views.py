"""Pages of one's own account: sign in, choose a language."""

from django import forms
from django.conf import settings
from django.contrib.auth.forms import AuthenticationForm
from django.contrib.auth.views import LoginView
from django.http import HttpRequest, HttpResponse
from django.utils.decorators import method_decorator
from django.utils.translation import check_for_language
from django.utils.translation import gettext_lazy as _
from django.views.decorators.cache import never_cache
from django.views.i18n import set_language as django_set_language

from apps.accounts.models import User
from apps.accounts.services.sign_in import sign_in
from apps.lib.problem import RefusedError


class SignInForm(AuthenticationForm):
    """Name and password; the try is counted."""

    error_messages = {  # noqa: RUF012, Django's own is a plain dict too
        **AuthenticationForm.error_messages,
        "invalid_login": _("用户名或密码不正确。请注意大小写。"),
    }

    def clean(self) -> dict[str, str]:
        name, password = self.cleaned_data.get("username"), self.cleaned_data.get("password")
        if name and password:
            self.user_cache = self._checked(name, password)
        return self.cleaned_data

    def _checked(self, name: str, password: str) -> User:
        try:
            user = sign_in(request=self.request or HttpRequest(), username=name, password=password)
        except RefusedError as refused:
            raise forms.ValidationError(
                refused.problem.detail, code="rate_limited", params=refused.problem.headers()
            ) from refused
        if user is None:
            raise self.get_invalid_login_error()
        return user


@method_decorator(never_cache, name="dispatch")
class SignInView(LoginView):
    """The sign-in page; afterwards the person's language holds."""

    template_name = "accounts/login.html"
    authentication_form = SignInForm
    redirect_authenticated_user = True

    def form_valid(self, form: AuthenticationForm) -> HttpResponse:
        response = super().form_valid(form)
        user = form.get_user()
        if user.locale:
            _remember(response, user.locale)
        return response

    def form_invalid(self, form: AuthenticationForm) -> HttpResponse:
        response = super().form_invalid(form)
        for error in form.non_field_errors().as_data():
            if error.code == "rate_limited":
                response.status_code = 429
                response["Retry-After"] = (error.params or {})["Retry-After"]
        return response


def set_language(request: HttpRequest) -> HttpResponse:
    """Django's switch; of a person signed in, the choice is kept."""
    response = django_set_language(request)
    chosen = request.POST.get("language", "")
    if request.method == "POST" and check_for_language(chosen) and request.user.is_authenticated:
        User.objects.filter(pk=request.user.pk).update(locale=chosen)
    return response


def _remember(response: HttpResponse, locale: str) -> None:
    response.set_cookie(
        settings.LANGUAGE_COOKIE_NAME,
        locale,
        secure=settings.LANGUAGE_COOKIE_SECURE,
        samesite="Lax",
    )
