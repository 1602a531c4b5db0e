"""Forms in the page: to be filled in with keyboard and screen reader, and as submitted."""

import json
from typing import Any

import pytest

from apps.conversations.models import Conversation
from tests.conversations.pages.conftest import FORM, See, ask, form_in
from tests.conversations.pages.markup import Node

pytestmark = pytest.mark.django_db
VALUES = {"name": "Ann <b>", "age": 7.5, "group": "1", "boards": False}


@pytest.fixture
def card(see: See, conversation: Conversation) -> Node:
    form_in(conversation)
    return see(f"/c/{conversation.pk}/", language="en").one("form", _class="form-card")


def control(card: Node, name: str) -> Node:
    return card.one(id=f"f-form0000001-{name}")


@pytest.mark.req("FORM-10")
def test_every_control_has_its_label(card: Node) -> None:
    labels = {label.get("for"): label.slot("label").text for label in card.all("label")}
    names = {field["name"]: field["label"] for field in FORM["fields"]}
    assert labels == {f"f-form0000001-{name}": label for name, label in names.items()}
    for name in names:
        assert control(card, name).get("name") == name


@pytest.mark.req("FORM-10")
def test_help_and_errors_are_tied_to_controls(card: Node) -> None:
    for field in FORM["fields"]:
        told = (control(card, field["name"]).get("aria-describedby") or "").split()
        assert [card.one(id=one).get("data-slot") for one in told] == ["help", "error"]
        assert card.one(id=told[1]).text == ""
    assert card.one(id="f-form0000001-age-help").text == "3 to 19.5"


def test_required_is_said_and_shown(card: Node) -> None:
    required = [one.get("data-field") for one in card.all(data_required="")]
    assert required == ["name", "boards"]
    assert [one.get("name") for one in card.all(aria_required="true")] == ["name", "boards"]


def test_each_type_has_its_control(card: Node) -> None:
    shown = {
        name: (control(card, name).tag, control(card, name).get("type"))
        for name in ("name", "note", "age", "group", "born", "boards")
    }
    assert shown == {
        "name": ("input", "text"),
        "note": ("textarea", None),
        "age": ("input", "number"),
        "group": ("select", None),
        "born": ("input", "date"),
        "boards": ("input", "checkbox"),
    }
    assert control(card, "boards").get("role") == "switch"
    assert control(card, "name").get("placeholder") == "Ann"
    assert (control(card, "age").get("min"), control(card, "age").get("max")) == ("3", "19.5")
    options = [(one.get("value"), one.text) for one in control(card, "group").all("option")]
    assert options == [("", "Choose…"), ("1", "3A"), ('"1"', "One")]


@pytest.mark.req("FORM-4")
def test_a_pending_form_survives_a_reload(card: Node) -> None:
    assert card.get("data-state") == "pending"
    assert card.get("data-form-id") == "form0000001"
    assert card.slot("title").text == "Add a student"
    assert card.get("aria-labelledby") == card.slot("title").get("id")
    assert card.slot("description").text == "All about one student."
    schema: dict[str, Any] = json.loads(card.get("data-schema") or "")
    assert schema["fields"] == FORM["fields"]
    assert card.slot("submit").text == "Submit"


@pytest.mark.req("FORM-4")
def test_a_submitted_form_shows_its_summary(see: See, conversation: Conversation) -> None:
    summary = "已提交「Add a student」表单：Name=Ann <b>"
    form_in(conversation, status="submitted", submittedSummary=summary)
    submission = {"formId": "form0000001", "values": VALUES}
    ask(conversation, summary, uiFormSubmission=submission)
    page = see(f"/c/{conversation.pk}/", language="en")
    card = page.one("form", _class="form-card")
    assert card.get("data-state") == "submitted"
    assert card.one("p", _class="form-state").text == "Submitted"
    assert card.all("input") == card.all("textarea") == card.all("select") == []
    rows = {row.one("dt").text: row.one("dd").text for row in card.one("dl").all("div")}
    assert rows == {
        "Name": "Ann <b>",
        "Note": "Not filled in",
        "Age": "7.5",
        "Class": "One",
        "Born": "Not filled in",
        "Boards": "No",
    }


SUMMARY = "已提交「Add a student」表单：Name=Ann <b>"


@pytest.mark.req("FORM-4")
@pytest.mark.parametrize(
    ("language", "line"),
    [
        ("en", "Submitted “Add a student”: Name: Ann <b>; Age: 7.5; Class: One; Boards: No"),
        ("zh-hans", "已提交“Add a student”：Name：Ann <b>；Age：7.5；Class：One；Boards：否"),
    ],
)
def test_who_submitted_reads_it_in_his_language(
    see: See, conversation: Conversation, language: str, line: str
) -> None:
    form_in(conversation, status="submitted", submittedSummary=SUMMARY)
    ask(conversation, SUMMARY, uiFormSubmission={"formId": "form0000001", "values": VALUES})
    told = see(f"/c/{conversation.pk}/", language=language).all("article")[1].slot("text")
    assert (told.text, told.get("lang")) == (line, None)


def test_the_stored_sentence_does_where_the_form_is_elsewhere(
    see: See, conversation: Conversation
) -> None:
    ask(conversation, SUMMARY, uiFormSubmission={"formId": "form0000001", "values": VALUES})
    told = see(f"/c/{conversation.pk}/", language="en").one("article").slot("text")
    assert (told.text, told.get("lang")) == (SUMMARY, "zh-Hans")


def test_the_summary_does_where_values_are_elsewhere(see: See, conversation: Conversation) -> None:
    form_in(conversation, status="submitted", submittedSummary="已提交「x」表单：a=b")
    card = see(f"/c/{conversation.pk}/").one("form", _class="form-card")
    assert card.slot("summary").text == "已提交「x」表单：a=b"


@pytest.mark.req("FORM-10")
def test_a_form_that_comes_again_begins_with_what_was_filled_in(
    see: See, conversation: Conversation
) -> None:
    ask(conversation, SUMMARY, uiFormSubmission={"formId": "form0000000", "values": VALUES})
    form_in(conversation, {**FORM, "fields": FORM["fields"][:3]})
    card = see(f"/c/{conversation.pk}/").one("form", _class="form-card")
    assert json.loads(card.get("data-schema") or "")["filled"] == {"name": "Ann <b>", "age": 7.5}


@pytest.mark.req("FORM-10")
def test_a_form_that_was_refused_says_what_is_wrong(see: See, conversation: Conversation) -> None:
    again = {"filled": {"name": "Ann"}, "faults": {"name": "No such name"}}
    form_in(conversation, {**FORM, **again})
    card = see(f"/c/{conversation.pk}/").one("form", _class="form-card")
    assert json.loads(card.get("data-schema") or "").items() >= again.items()


def test_a_form_that_is_asked_for_anew_begins_empty(see: See, conversation: Conversation) -> None:
    ask(conversation, SUMMARY, uiFormSubmission={"formId": "form0000000", "values": VALUES})
    ask(conversation, "Another one, please")
    form_in(conversation)
    card = see(f"/c/{conversation.pk}/").one("form", _class="form-card")
    assert "filled" not in json.loads(card.get("data-schema") or "")


def test_a_form_stands_behind_its_call(see: See, conversation: Conversation) -> None:
    form_in(conversation)
    parts = see(f"/c/{conversation.pk}/").one("article").slot("parts").children
    assert [part.tag for part in parts if isinstance(part, Node)] == ["div", "details", "form"]


def test_the_client_has_a_template_of_each_field(see: See, conversation: Conversation) -> None:
    page = see(f"/c/{conversation.pk}/")
    for kind in ("text", "textarea", "number", "select", "date", "switch"):
        template = page.one("template", id=f"t-field-{kind}")
        field = template.one(_class="field", templates=True)
        assert field.get("data-type") == kind
        for slot in ("label", "control", "help", "error"):
            assert field.slot(slot).get("id") is None
        assert field.all("label")[0].get("for") is None
