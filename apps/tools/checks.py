"""System checks: what is wrong with the tools, before anything is served."""

from collections.abc import Iterable
from pathlib import Path
from typing import Any

from django.apps import AppConfig, apps
from django.core.checks import CheckMessage, Error

from apps.tools.registry import RegistryError, catalogue
from apps.tools.static_check import own_folders, unlisted_services


def check_registry(app_configs: Iterable[AppConfig] | None, **_: Any) -> list[CheckMessage]:
    """tools.E001: the registry of this process cannot be frozen."""
    try:
        catalogue.freeze()
    except RegistryError as error:
        return [Error(str(error), id="tools.E001")]
    return []


def check_sources(app_configs: Iterable[AppConfig] | None, **_: Any) -> list[CheckMessage]:
    """tools.E002: a decorated service that no app lists, imported or not."""
    own = own_folders(Path(config.path) for config in app_configs or apps.get_app_configs())
    found = [service for path in own for service in unlisted_services(path)]
    return [Error(service.remedy(), id="tools.E002") for service in found]
