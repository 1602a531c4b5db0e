"""What a conversation looks like after a reload: order, cards, errors, older messages."""

import json

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from apps.accounts.models import User
from apps.conversations.models import Conversation, Message
from tests.conversations.pages.conftest import See, answer, ask, form_in
from tests.conversations.pages.markup import Node

pytestmark = pytest.mark.django_db


def kinds(article: Node) -> list[str]:
    """The parts of an answer by their first class, in their order."""
    parts = article.slot("parts").children
    return [(part.get("class") or "").split()[0] for part in parts if isinstance(part, Node)]


@pytest.mark.req("RUN-4")
def test_texts_and_calls_keep_their_order(see: See, conversation: Conversation) -> None:
    answer(
        conversation,
        ("First *this*.", [{"name": "look"}, {"name": "count"}]),
        ("Then that.", []),
    )
    article = see(f"/c/{conversation.pk}/").one("article")
    assert kinds(article) == ["text", "tool", "tool", "text"]
    assert [one.text for one in article.all(_class="text")] == ["First this.", "Then that."]
    assert [one.slot("title").text for one in article.all("details")] == ["look", "count"]


def test_a_call_says_what_became_of_it(see: See, conversation: Conversation) -> None:
    answer(
        conversation,
        ("", [{"name": "look", "arguments": {"name": "王芳"}, "result": {"found": 2}}]),
    )
    tool = see(f"/c/{conversation.pk}/").one("details", _class="tool")
    assert tool.get("data-state") == "succeeded"
    assert tool.one("summary").text == "look完成0.1 s"
    assert tool.slot("arguments").text == '{ "name": "王芳" }'
    assert tool.slot("result").text == '{ "found": 2 }'
    assert tool.slot("error").text == ""


@pytest.mark.parametrize(
    ("status", "word", "reason"),
    [
        ("failed", "Failed", "The number is taken"),
        ("refused", "Refused", "No permission"),
        ("timed_out", "Timed out", "Not done within 30 seconds"),
        ("not_executed", "Not run", "The run was stopped"),
    ],
)
def test_a_failed_call_gives_the_reason(
    see: See, conversation: Conversation, status: str, word: str, reason: str
) -> None:
    answer(
        conversation,
        ("", [{"status": status, "ok": False, "error_message": reason, "result": None}]),
    )
    tool = see(f"/c/{conversation.pk}/", language="en").one("details", _class="tool")
    assert tool.get("data-state") == status
    assert tool.slot("state").text == word
    assert tool.one("summary").slot("error").text == reason
    assert tool.slot("result").text == ""


def test_an_endless_result_is_cut(see: See, conversation: Conversation) -> None:
    answer(conversation, ("", [{"result": {"text": "x" * 20_000}}]))
    result = see(f"/c/{conversation.pk}/").one("details", _class="tool").slot("result")
    assert len(result.text) < 4_100
    assert result.text.endswith("…")


def test_a_failed_answer_keeps_its_error(see: See, conversation: Conversation) -> None:
    answer(conversation, ("So far", []), status="failed", error_code="model_timeout")
    article = see(f"/c/{conversation.pk}/", language="en").one("article")
    assert kinds(article) == ["text", "error-card"]
    card = article.one(_class="error-card")
    assert card.get("data-code") == "model_timeout"
    assert card.slot("message").text == "The model service did not answer in time. Try again."
    assert card.slot("trace-id").text == "f" * 32
    assert card.one("button", data_action="retry").text == "Retry"
    assert card.one("button", data_action="copy-trace").get("aria-label") == "Copy trace ID"


def test_a_stopped_answer_keeps_its_text(see: See, conversation: Conversation) -> None:
    answer(conversation, ("As far as", []), status="cancelled")
    article = see(f"/c/{conversation.pk}/").one("article")
    assert article.get("data-status") == "cancelled"
    assert article.slot("text").text == "As far as"
    assert article.one(_class="mark-cancelled").text == "已停止"


@pytest.mark.req("RUN-17")
def test_an_answer_is_marked_as_ai(see: See, conversation: Conversation) -> None:
    message = answer(conversation, ("Hello", []))
    Message.objects.filter(pk=message.pk).update(agent_version="7")
    page = see(f"/c/{conversation.pk}/")
    assert (
        page.one("article")
        .one("footer")
        .one("p", _class="meta")
        .text.startswith("AI · assistant · v7")
    )
    head = page.one(id="chat-head")
    assert [badge.text for badge in head.all("span", _class="badge")] == ["AI", "v1", "演示模型"]


def test_an_answer_given_anew_is_not_shown_twice(see: See, conversation: Conversation) -> None:
    old = answer(conversation, ("Old", []))
    new = answer(conversation, ("New", []))
    Message.objects.filter(pk=old.pk).update(metadata={"supersededBy": new.pk})
    assert see(f"/c/{conversation.pk}/").one("article").slot("text").text == "New"


def test_the_newest_messages_come_first(see: See, conversation: Conversation) -> None:
    messages = [ask(conversation, str(number)) for number in range(205)]
    page = see(f"/c/{conversation.pk}/")
    shown = [article.slot("text").text for article in page.all("article")]
    assert shown == [str(number) for number in range(5, 205)]
    link = page.one("a", data_older="")
    assert link.get("href") == f"?before={messages[5].pk}"
    older = see(f"/c/{conversation.pk}/{link.get('href')}")
    assert [article.slot("text").text for article in older.all("article")] == list("01234")
    assert older.all("a", data_older="") == []
    assert older.all(id="composer") == older.all("script") == older.all("template") == []
    assert older.one("p", _class="closed").one("a").get("href") == f"/c/{conversation.pk}/"


def test_no_message_costs_a_query(client: Client, alice: User, conversation: Conversation) -> None:
    client.force_login(alice)
    path = f"/c/{conversation.pk}/"

    def queries() -> int:
        with CaptureQueriesContext(connection) as captured:
            assert client.get(path).status_code == 200
        return len(captured)

    fill(conversation)
    client.get(path)
    few = queries()
    for _ in range(20):
        fill(conversation)
    assert queries() == few <= 24


def fill(conversation: Conversation) -> None:
    asked = ask(conversation)
    answer(conversation, ("Look", [{}, {}]), ("Done", []), asked=asked)
    answer(conversation, ("", [{}]), status="failed", error_code="tool_failed")
    form_in_once(conversation)


def form_in_once(conversation: Conversation) -> None:
    if not Message.objects.filter(metadata__has_key="uiForms").exists():
        form_in(conversation)


CREATED = {
    "name": "create_student",
    "arguments": {"name": "王芳", "gender": "female", "phone": "male"},
    "result": {"status": "success", "students": [{"gender": "male"}]},
}


@pytest.mark.req("RUN-4")
@pytest.mark.parametrize(
    ("language", "title", "female", "male"),
    [("en", "Add a student", "Female", "Male"), ("zh-hans", "新增学生", "女", "男")],
)
def test_a_tool_is_shown_in_the_words_of_people(
    see: See, conversation: Conversation, language: str, title: str, female: str, male: str
) -> None:
    answer(conversation, ("", [CREATED]))
    page = see(f"/c/{conversation.pk}/", language=language)
    tool = page.one("details", _class="tool")
    assert tool.slot("title").text == title
    told = json.loads(tool.slot("arguments").text)
    assert told == {"name": "王芳", "gender": female, "phone": "male"}
    assert json.loads(tool.slot("result").text)["students"] == [{"gender": male}]
    words = json.loads(page.one("script", id="chat-config").text)["tools"]["create_student"]
    assert (words["title"], words["labels"]["gender"]["male"]) == (title, male)


def test_an_english_page_says_in_english_that_there_is_a_form(
    see: See, conversation: Conversation
) -> None:
    result = {"status": "success", "message": "表单已生成，等待用户填写提交"}
    answer(conversation, ("", [{"name": "render_form", "result": result}]))
    tool = see(f"/c/{conversation.pk}/", language="en").one("details", _class="tool")
    assert tool.slot("title").text == "Show a form"
    assert json.loads(tool.slot("result").text)["message"] == "The form was made"


@pytest.mark.req("RUN-4")
@pytest.mark.parametrize(
    ("reason", "language", "line"),
    [
        ("length", "en", "Cut off: the answer reached its length limit."),
        ("length", "zh-hans", "回答未完：已达长度上限。"),
        ("filtered", "en", "Cut off: the model service filtered the rest."),
    ],
)
def test_an_answer_that_was_cut_off_says_why(
    see: See, conversation: Conversation, reason: str, language: str, line: str
) -> None:
    answer(conversation, ("Half of", []), finish_reason=reason)
    page = see(f"/c/{conversation.pk}/", language=language)
    article = page.one("article")
    assert kinds(article) == ["text", "quiet"]
    assert article.one(data_reason=reason).text == line
    texts = json.loads(page.one("script", id="chat-config").text)["texts"]
    assert texts[f"end{reason.capitalize()}"] == line


@pytest.mark.parametrize("reason", ["", "stop", "iterations"])
def test_an_answer_that_ended_or_says_so_itself_has_no_such_line(
    see: See, conversation: Conversation, reason: str
) -> None:
    answer(conversation, ("All of it", []), finish_reason=reason)
    assert kinds(see(f"/c/{conversation.pk}/").one("article")) == ["text"]
