"""POST /api/auth/token/: a key in exchange for name and password."""

from django.utils.translation import gettext as _
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.permissions import AllowAny
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from apps.accounts.authentication import SCHEME
from apps.accounts.services.sign_in import sign_in
from apps.accounts.services.tokens import issue_token
from apps.lib.api_problems import as_response
from apps.lib.problem import Problem


class CredentialsSerializer(serializers.Serializer[None]):
    """What is sent."""

    username = serializers.CharField(max_length=150)
    password = serializers.CharField(max_length=128, trim_whitespace=False, write_only=True)


class TokenSerializer(serializers.Serializer[None]):
    """What is answered; the key is not shown again."""

    token = serializers.CharField()


class TokenView(APIView):
    """Gives out API tokens; no session takes part, so there is nothing to forge."""

    authentication_classes = ()
    permission_classes = (AllowAny,)

    @extend_schema(request=CredentialsSerializer, responses=TokenSerializer, auth=[])
    def post(self, request: Request) -> object:
        credentials = CredentialsSerializer(data=request.data)
        credentials.is_valid(raise_exception=True)
        user = sign_in(request=request._request, **credentials.validated_data)
        if user is None:
            response = as_response(_wrong_credentials())
            response["WWW-Authenticate"] = SCHEME
            return response
        response = Response({"token": issue_token(user=user, name="api")})
        response["Cache-Control"] = "no-store"
        return response


def _wrong_credentials() -> Problem:
    return Problem(
        status=401,
        code="invalid_credentials",
        title=_("登录失败"),
        detail=_("用户名或密码不正确。"),
    )
