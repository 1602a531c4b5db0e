"""All settings, driven by the environment; a bad value stops start-up and says the remedy."""

from pathlib import Path

import environ

env = environ.Env()
ROOT = Path(__file__).resolve().parent.parent
APP_MODE = env.str("APP_MODE", default="production")
VAR = Path(env.str("STEWARD_VAR", default=str(ROOT / "var")))
SECRET_KEY = env.str("DJANGO_SECRET_KEY", default="insecure")
DEBUG = env.bool("DJANGO_DEBUG", default=False)
ALLOWED_HOSTS = env.list("DJANGO_ALLOWED_HOSTS", default=["127.0.0.1", "localhost", "testserver"])
FIELD_ENCRYPTION_KEYS = env.list("FIELD_ENCRYPTION_KEYS", default=[])
REDIS_URL = env.str("REDIS_URL", default="")

INSTALLED_APPS = [
    "daphne",
    "django.contrib.admin",
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
AUTH_USER_MODEL = "accounts.User"
ANONYMOUS_USER_NAME = None
AUTHENTICATION_BACKENDS = [
    "django.contrib.auth.backends.ModelBackend",
    "guardian.backends.ObjectPermissionBackend",
]
USE_TZ = True
LANGUAGE_CODE = env.str("LANGUAGE_CODE", default="zh-hans")
ROOT_URLCONF = "config.urls"
MIDDLEWARE = [
    "django.middleware.security.SecurityMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.locale.LocaleMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
]
TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [ROOT / "templates"],
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
            ]
        },
    }
]
STATIC_URL = "static/"
STATICFILES_DIRS = [ROOT / "static"]

DATABASES = {"default": env.db_url("DATABASE_URL", default=f"sqlite:///{VAR / 'steward.sqlite3'}")}
if DATABASES["default"]["ENGINE"].endswith("sqlite3"):
    DATABASES["default"] |= {
        "CONN_MAX_AGE": None,
        "OPTIONS": {
            "timeout": 20,
            "transaction_mode": "IMMEDIATE",
            "init_command": (
                "PRAGMA journal_mode=WAL; PRAGMA synchronous=NORMAL; "
                "PRAGMA recursive_triggers=ON;"
            ),
        },
        "TEST": {"NAME": str(VAR / "test.sqlite3")},
    }
else:
    DATABASES["default"] |= {
        "CONN_MAX_AGE": 0,
        "OPTIONS": {"pool": {"min_size": 2, "max_size": 10}},
    }
