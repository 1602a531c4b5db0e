"""The ASGI application: raw endpoints first, then Django. `manage.py serve` is its server."""

import os

from django.core.asgi import get_asgi_application

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
_django = get_asgi_application()

from config.routing import route  # noqa: E402, models exist only after the line above

application = route(_django)
