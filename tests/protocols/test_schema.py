"""The streams stand in the OpenAPI document."""

from collections.abc import Callable
from typing import Any

import pytest
from drf_spectacular.generators import SchemaGenerator
from drf_spectacular.validation import validate_schema

from apps.protocols.routes import http_routes


@pytest.mark.req("RUN-3")
def test_raw_endpoints_stand_in_the_schema() -> None:
    generator: Any = SchemaGenerator  # untyped, as is the validation
    validate: Callable[[Any], None] = validate_schema
    schema = generator().get_schema(request=None, public=True)
    validate(schema)
    for route in http_routes():
        path = "/" + str(route.pattern).replace("<str:", "{").replace(">", "}")
        ((_method, operation),) = schema["paths"][path].items()
        assert "text/event-stream" in operation["responses"]["200"]["content"]
        assert "401" in operation["responses"]
