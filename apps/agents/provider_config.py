"""A provider as a run meets it: frozen, with its key under lock."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from apps.lib.secret import Secret


@dataclass(frozen=True, slots=True, kw_only=True)
class ProviderConfig:
    """The row of a provider at one version; `base_url` empty is the vendor's own address."""

    id: int
    version: int
    name: str
    kind: str
    base_url: str = ""
    api_key: Secret = field(default_factory=lambda: Secret(""))
    default_model: str = ""
    options: Mapping[str, Any] = field(default_factory=dict)
    enabled: bool = True
