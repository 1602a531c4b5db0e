"""All settings, driven by the environment; a bad value stops start-up and says the remedy."""

import os
import sys
from typing import Any

from cryptography.fernet import Fernet

from apps.lib.secret import Secret
from config import environment as env
from config import values
from config.environment import ROOT
from config.logs import configuration

VAR = env.data_folder()
env.read_file(VAR / "env")

APP_MODE = env.one_of("APP_MODE", env.MODES, default="production")
PRODUCTION = APP_MODE == "production"
DEBUG = env.flag("DJANGO_DEBUG", default=False)
if DEBUG and PRODUCTION:
    raise env.SettingError(
        "DJANGO_DEBUG",
        "on, and APP_MODE is production: error pages would show code and settings.",
        "Leave it unset, or set APP_MODE to demo.",
    )
if APP_MODE == "test":
    values.check_test_bed()

# Secrets -----------------------------------------------------------------------------------------
_TEST_SECRET = "only-for-test-beds-" + "x" * 40
_TEST_KEY = "c3Rld2FyZC10ZXN0LWJlZHMtb25seS0wMDAwMDAwMDA="
SECRET_KEY = env.required(
    "DJANGO_SECRET_KEY",
    APP_MODE if APP_MODE == "test" else "production",
    otherwise=_TEST_SECRET,
    remedy=values.SIGNING_REMEDY,
)
if PRODUCTION:
    values.require_strong_secret("DJANGO_SECRET_KEY", SECRET_KEY)
FIELD_ENCRYPTION_KEYS = env.words(
    "FIELD_ENCRYPTION_KEYS", default=[_TEST_KEY] if APP_MODE == "test" else []
)
if not FIELD_ENCRYPTION_KEYS:
    raise env.SettingError("FIELD_ENCRYPTION_KEYS", "not set.", values.ENCRYPTION_REMEDY)
for _key in FIELD_ENCRYPTION_KEYS:
    try:
        Fernet(_key)
    except ValueError as _error:
        raise env.SettingError(
            "FIELD_ENCRYPTION_KEYS",
            "a key is not 32 bytes in URL-safe base64.",
            values.ENCRYPTION_REMEDY,
        ) from _error

# Addresses ---------------------------------------------------------------------------------------
_LOCAL = ["127.0.0.1", "localhost", "[::1]"] + (["testserver"] if APP_MODE == "test" else [])
ALLOWED_HOSTS = values.host_names(
    "DJANGO_ALLOWED_HOSTS", [] if PRODUCTION else _LOCAL, any_host=not PRODUCTION
)
if not ALLOWED_HOSTS:
    raise env.SettingError(
        "DJANGO_ALLOWED_HOSTS",
        "not set, and APP_MODE is production.",
        "Set it to the names people type, as in: steward.example.com,10.0.0.5.",
    )
SECURE_COOKIES = env.flag("SECURE_COOKIES", default=PRODUCTION)
CSRF_TRUSTED_ORIGINS = values.origins("CSRF_TRUSTED_ORIGINS")
SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = LANGUAGE_COOKIE_SECURE = SECURE_COOKIES
SESSION_COOKIE_HTTPONLY = True
SESSION_COOKIE_SAMESITE = CSRF_COOKIE_SAMESITE = LANGUAGE_COOKIE_SAMESITE = "Lax"
SESSION_COOKIE_AGE = 12 * 3600
if env.flag("BEHIND_TLS_PROXY", default=False):
    SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https")
SECURE_CONTENT_TYPE_NOSNIFF = True
SECURE_REFERRER_POLICY = "same-origin"
X_FRAME_OPTIONS = "DENY"
CONTENT_SECURITY_POLICY = (
    "default-src 'self'; img-src 'self' data:; object-src 'none'; base-uri 'none'; "
    "form-action 'self'; frame-ancestors 'none'"
)
# Of the chat page, which shows what models say; what it connects to is added with its host.
CHAT_CONTENT_SECURITY_POLICY = (
    "default-src 'self'; img-src 'self'; frame-src 'none'; worker-src 'none'; object-src 'none'; "
    "base-uri 'none'; form-action 'self'; frame-ancestors 'none'; "
    "require-trusted-types-for 'script'; trusted-types dompurify steward"
)

# Apps --------------------------------------------------------------------------------------------
INSTALLED_APPS = [
    "daphne",
    "config",
    "config.admin_apps.ConsoleConfig",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "django.contrib.staticfiles",
    "channels",
    "guardian",
    "rest_framework",
    "drf_spectacular",
    "drf_spectacular_sidecar",
    "apps.lib",
    "apps.accounts",
    "apps.audit",
    "apps.tools",
    "apps.skills",
    "apps.agents",
    "apps.conversations",
    "apps.forms",
    "apps.students",
    "apps.protocols",
]
MIDDLEWARE = [
    "config.middleware.TraceMiddleware",
    "config.middleware.ContentSecurityPolicyMiddleware",
    "django.middleware.security.SecurityMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "django.middleware.gzip.GZipMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.locale.LocaleMiddleware",
    "config.middleware.PlainAddressMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
]
ROOT_URLCONF = "config.urls"
ASGI_APPLICATION = "config.asgi.application"
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"
TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [ROOT / "templates"],
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.template.context_processors.i18n",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
            ]
        },
    }
]
DATA_UPLOAD_MAX_MEMORY_SIZE = 1_000_000
CSRF_FAILURE_VIEW = "config.errors.csrf_failure"

# People ------------------------------------------------------------------------------------------
AUTH_USER_MODEL = "accounts.User"
ANONYMOUS_USER_NAME = None
AUTHENTICATION_BACKENDS = [
    "django.contrib.auth.backends.ModelBackend",
    "guardian.backends.ObjectPermissionBackend",
]
_VALIDATORS = "django.contrib.auth.password_validation."
AUTH_PASSWORD_VALIDATORS: list[dict[str, Any]] = [
    {"NAME": _VALIDATORS + "UserAttributeSimilarityValidator"},
    {"NAME": _VALIDATORS + "MinimumLengthValidator", "OPTIONS": {"min_length": 10}},
    {"NAME": _VALIDATORS + "CommonPasswordValidator"},
    {"NAME": _VALIDATORS + "NumericPasswordValidator"},
]
if APP_MODE == "test":
    PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
LOGIN_URL = "accounts:login"
LOGIN_REDIRECT_URL = LOGOUT_REDIRECT_URL = "/"
LOGIN_ATTEMPTS_PER_MINUTE = env.number("LOGIN_ATTEMPTS_PER_MINUTE", default=10)
RUNS_PER_MINUTE = env.number("RUNS_PER_MINUTE", default=20)
OPEN_RUNS_PER_USER = env.number("OPEN_RUNS_PER_USER", default=3)
# How often whoever holds a stream or a socket open is asked for again.
RECHECK_SECONDS = max(1, env.number("RECHECK_SECONDS", default=30))
METRICS_TOKEN = Secret(values.credential("METRICS_TOKEN"))

# Language and time -------------------------------------------------------------------------------
LANGUAGE_CODE = env.one_of("LANGUAGE_CODE", ("zh-hans", "en"), default="zh-hans")
LANGUAGES = [("zh-hans", "简体中文"), ("en", "English")]
LOCALE_PATHS = [ROOT / "locale"]
USE_I18N = USE_TZ = True
TIME_ZONE = "UTC"

# Static files: hashed and compressed once collected, straight from their folders until then -------
STATIC_URL = "static/"
STATICFILES_DIRS = [ROOT / "static"]
_AT_START = env.collects_at_start and not PRODUCTION
_STATIC_ROOT = VAR / "static" if _AT_START else ROOT / "staticfiles"
_COLLECTING = _AT_START or sys.argv[1:2] == ["collectstatic"]
_COLLECTED = (_STATIC_ROOT / "staticfiles.json").is_file()
_HASHED = _AT_START or (PRODUCTION and (_COLLECTING or _COLLECTED))
STATIC_ROOT = _STATIC_ROOT if _HASHED or _COLLECTING else None
WHITENOISE_USE_FINDERS = not _HASHED
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {
        "BACKEND": "config.static_files.HashedStaticFiles"
        if _HASHED
        else "django.contrib.staticfiles.storage.StaticFilesStorage"
    },
}

# Database ----------------------------------------------------------------------------------------
DATABASES = {"default": env.database("DATABASE_URL", f"sqlite:///{VAR / 'steward.sqlite3'}")}
if DATABASES["default"]["ENGINE"].endswith("sqlite3"):
    DATABASES["default"] |= {
        "CONN_MAX_AGE": None,
        "OPTIONS": {
            "timeout": 20,
            "transaction_mode": "IMMEDIATE",
            "init_command": (
                "PRAGMA journal_mode=WAL; PRAGMA synchronous=NORMAL; PRAGMA recursive_triggers=ON;"
            ),
        },
        "TEST": {"NAME": str(VAR / "test.sqlite3")},
    }
else:
    # 8 threads of the bridge, 8 of tools, the writer, and spares for requests.
    DATABASES["default"] |= {
        "CONN_MAX_AGE": 0,
        "OPTIONS": {"pool": {"min_size": 2, "max_size": 20}},
    }

# Redis, or this process: channel layer, cache, broker. In a test bed its names are its own --------
REDIS_URL = env.url("REDIS_URL", "redis", "rediss", "unix")
_WORKER = os.environ.get("PYTEST_XDIST_WORKER", "")
_PREFIX = f"steward-{VAR.name}{_WORKER}" if APP_MODE == "test" else "steward"
CACHES: dict[str, Any] = {
    "default": {"BACKEND": "django.core.cache.backends.locmem.LocMemCache", "KEY_PREFIX": _PREFIX}
}
CHANNEL_LAYERS: dict[str, Any] = {"default": {"BACKEND": "channels.layers.InMemoryChannelLayer"}}
CELERY_BROKER_URL = "memory://"
CELERY_BROKER_TRANSPORT_OPTIONS: dict[str, Any] = {"polling_interval": 0.05}
if REDIS_URL:
    CACHES["default"] |= {
        "BACKEND": "django.core.cache.backends.redis.RedisCache",
        "LOCATION": REDIS_URL,
    }
    CHANNEL_LAYERS["default"] = {
        "BACKEND": "channels_redis.core.RedisChannelLayer",
        "CONFIG": {"hosts": [REDIS_URL], "prefix": _PREFIX},
    }
    CELERY_BROKER_URL = REDIS_URL
    CELERY_BROKER_TRANSPORT_OPTIONS = {"global_keyprefix": f"{_PREFIX}-"}
SESSION_ENGINE = "django.contrib.sessions.backends.db"

# Celery: rows are the truth, a task is the nudge -------------------------------------------------
CELERY_TASK_IGNORE_RESULT = True
CELERY_TASK_DEFAULT_QUEUE = "default"
CELERY_TASK_CREATE_MISSING_QUEUES = True
CELERY_WORKER_HIJACK_ROOT_LOGGER = False
CELERY_WORKER_REDIRECT_STDOUTS = False
CELERY_BROKER_CONNECTION_RETRY_ON_STARTUP = True
CELERY_TIMEZONE = TIME_ZONE
CELERY_BEAT_SCHEDULE_FILENAME = str(VAR / "beat-schedule")

# API ---------------------------------------------------------------------------------------------
REST_FRAMEWORK = {
    # The token first: its header is what a 401 offers.
    "DEFAULT_AUTHENTICATION_CLASSES": [
        "apps.accounts.authentication.TokenAuthentication",
        "apps.accounts.authentication.SessionAuthentication",
    ],
    "DEFAULT_PERMISSION_CLASSES": ["rest_framework.permissions.IsAuthenticated"],
    "DEFAULT_PARSER_CLASSES": ["apps.lib.api_json.JsonParser"],
    "DEFAULT_RENDERER_CLASSES": ["rest_framework.renderers.JSONRenderer"],
    "DEFAULT_SCHEMA_CLASS": "drf_spectacular.openapi.AutoSchema",
    "EXCEPTION_HANDLER": "apps.lib.api_problems.handle",
    "DEFAULT_VERSIONING_CLASS": None,
    "UNAUTHENTICATED_USER": "django.contrib.auth.models.AnonymousUser",
}
SPECTACULAR_SETTINGS = {
    "TITLE": "Steward",
    "VERSION": "0.1.0",
    "DESCRIPTION": "Conversations with agents. Errors are application/problem+json.",
    "SERVE_INCLUDE_SCHEMA": False,
    "SERVE_PERMISSIONS": ["rest_framework.permissions.IsAuthenticated"],
    "SERVE_AUTHENTICATION": [
        "apps.accounts.authentication.TokenAuthentication",
        "apps.accounts.authentication.SessionAuthentication",
    ],
    "POSTPROCESSING_HOOKS": [
        "drf_spectacular.hooks.postprocess_schema_enums",
        "apps.protocols.schema.add_streams",
    ],
    "SWAGGER_UI_DIST": "SIDECAR",
    "SWAGGER_UI_FAVICON_HREF": "/static/favicon.svg",
}

# Audit -------------------------------------------------------------------------------------------
AUDIT_RETENTION_DAYS = values.retention_days("AUDIT_RETENTION_DAYS", default=1095)

# Agents and models -------------------------------------------------------------------------------
OPENAI_API_KEY = Secret(values.credential("OPENAI_API_KEY"))
OPENAI_BASE_URL = values.outside("OPENAI_BASE_URL")
DEFAULT_MODEL = env.text("DEFAULT_MODEL")
ALLOW_DEMO_MODEL = env.flag("ALLOW_DEMO_MODEL", default=not PRODUCTION)
WEB_READ_ALLOW = values.host_names("WEB_READ_ALLOW", [], any_host=True)
EGRESS_ALLOW = [*values.egress("EGRESS_ALLOW"), *values.trusted_places(OPENAI_BASE_URL)]
AGENTS_STRICT_MODE = env.flag("AGENTS_STRICT_MODE", default=False)
AGENT_ENVIRONMENT = env.text("AGENT_ENVIRONMENT")
ALERT_WEBHOOK_URL = values.outside("ALERT_WEBHOOK_URL")
ALERT_WEBHOOK_SECRET = Secret(values.webhook_secret("ALERT_WEBHOOK_SECRET"))
ALERT_EMAIL_TO = values.mailboxes("ALERT_EMAIL_TO")
DEFAULT_FROM_EMAIL = env.text("DEFAULT_FROM_EMAIL", "steward@localhost")
EMAIL_TIMEOUT = 10
vars().update(env.email("EMAIL_URL"))

LOGGING = configuration(as_json=PRODUCTION)
LOGGING_CONFIG = "logging.config.dictConfig"
SILENCED_SYSTEM_CHECKS: list[str] = []
