"""What a tool learns beyond its six fields."""

from collections.abc import Iterator

import pytest

from apps.tools.registry import (
    AgentContext,
    SessionDetails,
    context,
    session_details,
    set_session_source,
)
from apps.tools.testing import fake_context


@pytest.fixture(autouse=True)
def source_kept() -> Iterator[None]:
    before = context._Source.current
    yield
    context._Source.current = before


@pytest.mark.req("TOOL-9")
def test_details_come_from_the_one_source() -> None:
    asked: list[AgentContext] = []
    details = SessionDetails(
        locale="en",
        permission_mode="DEFAULT",
        plan_mode="OFF",
        permissions=frozenset({"students.add_student"}),
        department="D1",
        region="R1",
    )

    def source(ctx: AgentContext) -> SessionDetails:
        asked.append(ctx)
        return details

    set_session_source(source)
    ctx = fake_context(session_id="conversation")
    assert session_details(ctx) == details
    assert asked == [ctx]


@pytest.mark.req("TOOL-9")
def test_without_a_source_the_remedy_is_named() -> None:
    context._Source.current = None
    with pytest.raises(RuntimeError, match="set_session_source"):
        session_details(fake_context())
