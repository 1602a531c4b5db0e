"""Security first, then business, then the rest: whatever is raised, and however oddly."""

import asyncio
import concurrent.futures
import time
from typing import Any

import pytest
from django.core.exceptions import ObjectDoesNotExist, PermissionDenied, ValidationError
from prometheus_client import REGISTRY
from rest_framework import exceptions

from apps.audit.models import SecurityEvent
from apps.runtime.errors import ToolboxError
from apps.tools.models import Quota, ToolRun
from apps.tools.registry import BusinessError
from tests.tools.conftest import Caller
from tests.tools.services import ProbeTools, Unordinary, UntellableError, raises

pytestmark = pytest.mark.django_db(transaction=True)


class BothError(ValidationError, PermissionDenied):
    """A rule of the business, and of security."""


class UntellableRuleError(BusinessError):
    """The model could act on it, if it could be told."""

    def __str__(self) -> str:
        raise SystemExit(3)


class SlowError(BusinessError):
    """Takes its time to say what is wrong."""

    def __str__(self) -> str:
        time.sleep(3)
        return "at last"


class TrapError(exceptions.APIException):
    """Its status cannot be asked."""

    @property
    def status_code(self) -> int:  # type: ignore[override]
        raise KeyboardInterrupt


def errors(tier: str) -> float:
    return REGISTRY.get_sample_value("agent_tool_errors_total", {"tier": tier}) or 0.0


def groups(*inner: BaseException) -> BaseExceptionGroup[BaseException]:
    return BaseExceptionGroup("several", [BaseExceptionGroup("inner", list(inner))])


@pytest.mark.req("TOOL-16")
@pytest.mark.parametrize(
    "error",
    [
        UntellableError(),
        UntellableRuleError(),
        SlowError(),
        TrapError(),
        asyncio.CancelledError(),
        concurrent.futures.CancelledError(),
        TimeoutError(),
        BaseException(),
        SystemExit("s"),
        KeyboardInterrupt(),
        GeneratorExit(),
        StopAsyncIteration(),
        RecursionError(),
        MemoryError(),
        groups(ValueError("a"), BusinessError("b")),
        groups(Unordinary()),
    ],
    ids=lambda error: type(error).__name__,
)
@pytest.mark.parametrize("tool", ["probe_read", "probe_write"])
def test_what_nobody_can_act_on_ends_the_run(call: Caller, error: BaseException, tool: str) -> None:
    before = errors("3")
    ProbeTools.body = raises(error)
    with pytest.raises(ToolboxError, match=r"^reference \w{11}$"):
        call(tool, text="x")
    run, event = ToolRun.objects.get(), SecurityEvent.objects.get()
    assert (run.status, run.audit_state, event.kind) == ("failed", "written", "system_error")
    assert run.audit_id in run.error_message
    assert event.detail
    assert errors("3") == before + 1


@pytest.mark.req("TOOL-15")
@pytest.mark.parametrize(
    "error",
    [
        BothError("name: too long"),
        exceptions.NotAuthenticated(),
        exceptions.AuthenticationFailed(),
        groups(BusinessError("told"), PermissionDenied("secret_table"), ValueError("x")),
    ],
    ids=lambda error: type(error).__name__,
)
def test_security_is_asked_first(call: Caller, error: BaseException) -> None:
    before = errors("2")
    ProbeTools.body = raises(error)
    answer = call("probe_read", text="x")
    assert (answer.ok, answer.error) == (False, "权限不足")
    assert SecurityEvent.objects.get().kind == "refused"
    assert errors("2") == before + 1


@pytest.mark.req("TOOL-14")
@pytest.mark.parametrize(
    ("error", "told"),
    [
        (groups(BusinessError("one"), ValidationError("two"), BusinessError("one")), "one; two"),
        (ObjectDoesNotExist("secret_table"), "未找到"),
        (exceptions.Throttled(), "限流"),
        (BusinessError(""), "操作未能完成"),
    ],
    ids=lambda value: type(value).__name__,
)
def test_what_the_model_can_act_on_is_told(call: Caller, error: BaseException, told: str) -> None:
    before = errors("1")
    ProbeTools.body = raises(error)
    answer = call("probe_read", text="x")
    assert (answer.ok, SecurityEvent.objects.count()) == (False, 0)
    assert told in answer.error
    assert errors("1") == before + 1


@pytest.mark.req("TOOL-14", "TOOL-21")
def test_quota_and_unknown_names_are_tier_one(call: Caller) -> None:
    before = errors("1")
    call("get_wether")
    Quota.objects.create(name="none", limit=0)
    call("probe_read", text="x")
    assert errors("1") == before + 2


@pytest.mark.req("TOOL-15")
def test_a_refusal_by_rule_is_tier_two(call: Caller) -> None:
    before: Any = errors("2")
    call("probe_guarded", text="x")
    call("probe_destroy", text="x")
    assert errors("2") == before + 2


def test_the_phases_are_measured(call: Caller) -> None:
    def count(phase: str) -> float:
        return REGISTRY.get_sample_value("agent_tool_phase_seconds_count", {"phase": phase}) or 0.0

    before = [count(phase) for phase in ("open", "body", "close")]
    call("probe_read", text="x")
    after = [count(phase) for phase in ("open", "body", "close")]
    assert [new - old for new, old in zip(after, before, strict=True)] == [1, 1, 1]
