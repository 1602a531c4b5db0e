"""Sanitiser rules in the console: refused saves say which sample failed; a text is tried."""

from typing import Any

import pytest
from django.test import Client

from apps.audit.models import ConfigAuditLog, SanitizerRule
from apps.audit.sanitizer import set_extra_rules
from tests.audit.console import SignIn, sign_in

__all__ = ["sign_in"]
RULES, ADD = "/admin/audit/sanitizerrule/", "/admin/audit/sanitizerrule/add/"
TRY = "/admin/audit/sanitizerrule/try/"
RULE = {"name": "case", "pattern": "CASE-[0-9]{4}", "hit": "see CASE-1234", "keep": "in any case"}


@pytest.fixture(autouse=True)
def no_rules_left_over() -> Any:
    yield
    set_extra_rules([])


@pytest.mark.parametrize(
    ("wrong", "field"),
    [
        ({"hit": "nothing"}, "hit"),
        ({"keep": "CASE-9999"}, "keep"),
        ({"pattern": "(?=x)"}, "pattern"),
    ],
)
def test_a_refused_save_says_which_sample_failed(
    sign_in: SignIn, client: Client, wrong: Any, field: str
) -> None:
    sign_in("ruler")
    page = client.post(ADD, RULE | wrong).content.decode()
    row = (
        page.split(f'field-{field}"')[0].rsplit("form-row", 1)[1] + page.split(f"field-{field}")[1]
    )
    assert "errorlist" in row.split("form-row")[0]
    assert not SanitizerRule.objects.exists()


def test_a_rule_is_saved_tried_and_deleted_with_a_reason(sign_in: SignIn, client: Client) -> None:
    sign_in("ruler")
    assert client.post(ADD, RULE | {"is_on": "on"}).status_code == 302
    rule = SanitizerRule.objects.get()
    page = client.post(TRY, {"text": "about CASE-7777 today"}).content.decode()
    assert "about [REDACTED] today" in page.split('id="redacted"')[1].split("</pre>")[0]
    found = page.split('id="found"')[1]
    assert "case</th>" in found
    assert "CASE-7777" in found
    assert client.post(f"{RULES}{rule.pk}/remove/", {"reason": ""}).status_code == 400
    assert client.post(f"{RULES}{rule.pk}/remove/", {"reason": "not needed"}).status_code == 302
    assert not SanitizerRule.objects.exists()
    actions = ConfigAuditLog.objects.order_by("pk").values_list("action", "reason")
    assert list(actions) == [("save_rule", ""), ("delete_rule", "not needed")]


def test_trying_keeps_nothing(sign_in: SignIn, client: Client) -> None:
    sign_in("ruler")
    assert client.post(TRY, {"text": "plain"}).status_code == 200
    assert not ConfigAuditLog.objects.exists()


@pytest.mark.parametrize("who", ["nobody", "auditor", "keeper"])
def test_without_the_right_there_are_no_rules(sign_in: SignIn, client: Client, who: str) -> None:
    sign_in(who)
    for page in (RULES, ADD, TRY):
        assert client.get(page).status_code == 403
    assert client.post(ADD, RULE).status_code == 403
    assert client.post(TRY, {"text": "x"}).status_code == 403
