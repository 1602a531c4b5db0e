"""From a provider's row to the model that answers, and what is refused on the way."""

from typing import Any

import pytest
from django.core.exceptions import ValidationError
from django.db import connection
from pytest_django import Settings

from apps.accounts.actor import Actor
from apps.accounts.models import Organisation, User
from apps.agents.errors import ProviderNotConfiguredError, ProviderUnavailableError
from apps.agents.models import Agent, Provider
from apps.agents.providers import chat_model, close_models
from apps.agents.services import catalogue
from apps.agents.services.catalogue import draft_snapshot
from apps.agents.services.providers import ensure_default_provider, save_provider
from apps.agents.snapshot import Snapshot
from apps.lib import bridge
from apps.lib.problem import RefusedError
from apps.runtime.demo_model import DemoModel
from apps.runtime.errors import ModelRateLimitError, ModelRequestError
from apps.runtime.messages import (
    AssistantMessage,
    ModelDelta,
    ModelFinish,
    ModelRequest,
    TextDelta,
    Usage,
    UserMessage,
)
from apps.runtime.ports import ChatModel
from tests import factories

crosses = pytest.mark.django_db(transaction=True)


async def snapshot_on(agent: Agent, **fields: Any) -> Snapshot:
    """The agent's draft, its provider changed behind everybody's back."""

    def change() -> Snapshot:
        Provider.objects.filter(pk=agent.provider_id).update(**fields)
        return draft_snapshot(Agent.objects.get(pk=agent.pk))

    return await bridge.call(change)


async def ask(model: ChatModel, *answers: str) -> list[ModelDelta]:
    said = [AssistantMessage(content=text) for text in answers]
    request = ModelRequest(model="m", messages=(UserMessage(content="Hello"), *said))
    return [delta async for delta in model.stream(request)]


@crosses
async def test_the_demo_model_says_who_speaks(draft: Agent) -> None:
    model = await chat_model(await snapshot_on(draft, options={"pace": 0}))
    assert isinstance(model, DemoModel)
    said = "".join(d.text for d in await ask(model) if isinstance(d, TextDelta))
    assert "demo model" in said
    assert "version draft" in said


@crosses
@pytest.mark.parametrize(
    ("fields", "mode", "error"),
    [
        ({"enabled": False}, {}, ProviderUnavailableError),
        ({}, {"ALLOW_DEMO_MODEL": False}, ProviderNotConfiguredError),
        ({"kind": "scripted"}, {"APP_MODE": "production"}, ProviderNotConfiguredError),
        ({"kind": "openai"}, {}, ProviderNotConfiguredError),
        ({"options": {"speed": 1}}, {}, ProviderNotConfiguredError),
        ({"kind": "pigeon"}, {}, ProviderNotConfiguredError),
    ],
)
async def test_a_provider_that_cannot_serve_ends_the_run(
    draft: Agent,
    settings: Settings,
    fields: dict[str, Any],
    mode: dict[str, Any],
    error: type[Exception],
) -> None:
    for name, value in mode.items():
        setattr(settings, name, value)
    with pytest.raises(error):
        await chat_model(await snapshot_on(draft, **fields))


@crosses
async def test_a_key_that_no_longer_opens_ends_the_run(draft: Agent, settings: Settings) -> None:
    snapshot = await snapshot_on(draft, kind="openai", api_key="sk-1")
    settings.FIELD_ENCRYPTION_KEYS = ["LkD1ypYyyYp9YxUXx6Ta6ffjYjk_KyY0b9g4iPaYRrE="]
    with pytest.raises(ProviderNotConfiguredError):
        await chat_model(snapshot)


@crosses
async def test_a_provider_that_is_gone_ends_the_run(draft: Agent) -> None:
    snapshot = await snapshot_on(draft)

    def remove() -> None:
        Agent.objects.all().delete()
        Provider.objects.all().delete()

    await bridge.call(remove)
    with pytest.raises(ProviderUnavailableError):
        await chat_model(snapshot)


@crosses
@pytest.mark.req("AGENT-13")
async def test_clients_are_kept_until_the_provider_changes(draft: Agent, root: User) -> None:
    snapshot = await snapshot_on(
        draft, kind="openai", base_url="http://127.0.0.1:9/v1", default_model="m"
    )
    first = await chat_model(snapshot)
    assert await chat_model(snapshot) is first

    def change() -> None:
        provider = Provider.objects.get(pk=draft.provider_id)
        provider.options = {"attempts": 1}
        save_provider(provider=provider, actor=Actor.of(root))
        catalogue.ensure_fresh()

    await bridge.call(change)
    assert await chat_model(snapshot) is not first
    await close_models()
    assert await chat_model(snapshot) is not first
    await close_models()


SCRIPT = [
    {"text": "Let me see.", "calls": [{"name": "search_students", "arguments": {"query": "x"}}]},
    {"text": "Busy", "error": {"code": "model_rate_limited", "retryable": True, "retryAfter": 2}},
    {"reasoning": "Hm.", "text": "Done.", "finish": "length", "usage": {"completion": 7}},
]


@crosses
async def test_a_script_answers_by_conversation(draft: Agent) -> None:
    options = {"script": SCRIPT}
    model = await chat_model(await snapshot_on(draft, kind="scripted", options=options))
    first = (await ask(model))[-1]
    assert isinstance(first, ModelFinish)
    assert [(call.name, call.arguments) for call in first.calls] == [
        ("search_students", {"query": "x"})
    ]
    with pytest.raises(ModelRateLimitError) as busy:
        await ask(model, "one")
    assert (busy.value.retryable, busy.value.retry_after) == (True, 2)
    third = await ask(model, "one", "two")
    assert third[-2:] == [Usage(prompt=10, completion=7), ModelFinish(reason="length")]
    with pytest.raises(ModelRequestError):
        await ask(model, "one", "two", "three")


@crosses
async def test_a_script_can_be_used_up_in_order(draft: Agent) -> None:
    options = {"script": [{"text": "One."}, {"text": "Two."}], "by": "process"}
    snapshot = await snapshot_on(draft, kind="scripted", options=options)
    told = [(await ask(await chat_model(snapshot)))[0] for _ in range(2)]
    assert told == [TextDelta(text="One."), TextDelta(text="Two.")]


@pytest.mark.django_db
@pytest.mark.req("AGENT-13")
@pytest.mark.parametrize(
    ("kind", "options"),
    [
        ("demo", {"pace": "fast"}),
        ("demo", {"pace": True}),
        ("demo", []),
        ("openai", {"unknown": 1}),
        ("openai", {"attempts": 0}),
        ("openai", {"attempts": 1.5}),
        ("openai", {"silence_timeout": 10_000}),
        ("openai", {"usage_in_stream": "yes"}),
        ("openai", {"max_tokens_field": "size"}),
        ("openai", {"reasoning_field": "a b"}),
        ("openai", {"extra_headers": {"X-A": 1}}),
        ("openai", {"extra_headers": {"X-A": "a\r\nB: c"}}),
        ("openai", {"extra_headers": {"Authorization": "Bearer sk"}}),
        ("openai", {"extra_body": {"messages": []}}),
        ("openai", {"extra_query": []}),
        ("scripted", {"script": {}}),
        ("scripted", {"script": [{"txt": "x"}]}),
        ("scripted", {"script": [{"calls": [{}]}]}),
        ("scripted", {"script": [{"error": {"code": "no_such"}}]}),
        ("scripted", {"by": "chance"}),
    ],
)
def test_options_that_cannot_be_are_refused(
    organisation: Organisation, kind: str, options: Any
) -> None:
    provider = Provider(organisation=organisation, name="p", kind=kind, options=options)
    with pytest.raises(ValidationError) as refused:
        provider.full_clean()
    assert list(refused.value.message_dict) == ["options"]


@pytest.mark.django_db
@pytest.mark.req("AGENT-13")
@pytest.mark.parametrize(
    ("kind", "options"),
    [
        ("demo", {"pace": 0}),
        (
            "openai",
            {
                "reasoning_field": "reasoning_content",
                "usage_in_stream": False,
                "max_tokens_field": "max_completion_tokens",
                "extra_headers": {"X-Team": "school"},
                "extra_query": {"v": "1"},
                "extra_body": {"top_k": 3},
                "connect_timeout": 1,
                "silence_timeout": 5.5,
                "attempts": 1,
            },
        ),
        ("scripted", {"script": SCRIPT}),
    ],
)
def test_options_of_each_kind_are_taken(
    organisation: Organisation, kind: str, options: Any
) -> None:
    Provider(organisation=organisation, name="p", kind=kind, options=options).full_clean()


@pytest.mark.django_db
@pytest.mark.parametrize(
    "address",
    [
        "ftp://model.example/v1",
        "model.example/v1",
        "http://",
        "https://user:secret@model.example/v1",
        "https://model.example:no/v1",
        "https://model.example/v1?key=1",
        "https://[::1/v1",
        "https://model .example/",
    ],
)
def test_an_address_that_cannot_be_is_refused(organisation: Organisation, address: str) -> None:
    with pytest.raises(ValidationError) as refused:
        Provider(organisation=organisation, name="p", base_url=address).full_clean()
    assert list(refused.value.message_dict) == ["base_url"]


@pytest.mark.django_db
@pytest.mark.req("AGENT-12")
def test_a_key_is_encrypted_at_rest(organisation: Organisation) -> None:
    factories.make_provider(organisation, api_key="sk-very-secret")
    with connection.cursor() as cursor:
        cursor.execute("SELECT api_key FROM agents_provider")
        (stored,) = cursor.fetchone()
    assert "secret" not in stored
    assert Provider.objects.get().api_key == "sk-very-secret"


@pytest.mark.django_db
@pytest.mark.req("AGENT-12")
def test_a_key_in_memory_does_not_print(draft: Agent) -> None:
    Provider.objects.update(api_key="sk-very-secret")
    config = catalogue.provider_config(draft.provider_id)
    assert config.api_key.reveal() == "sk-very-secret"
    assert "secret" not in f"{config!r} {config.api_key}"


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("key", "address", "kind"),
    [
        ("", "", "demo"),
        ("sk", "", "openai"),
        ("", "http://localhost:11434/v1", "openai"),
    ],
)
def test_the_environment_makes_the_default_provider_once(
    organisation: Organisation, key: str, address: str, kind: str
) -> None:
    made = ensure_default_provider(
        organisation=organisation, api_key=key, base_url=address, model="m"
    )
    again = ensure_default_provider(
        organisation=organisation, api_key="other", base_url="http://other", model="other"
    )
    assert made == again
    row = Provider.objects.get()
    assert (row.name, row.kind, row.api_key, row.base_url) == ("default", kind, key, address)


@pytest.mark.django_db
def test_a_provider_saved_twice_from_one_reading_is_refused(draft: Agent, root: User) -> None:
    first, second = (Provider.objects.get() for _ in range(2))
    first.default_model = "first"
    save_provider(provider=first, actor=Actor.of(root))
    second.default_model = "second"
    with pytest.raises(RefusedError) as refused:
        save_provider(provider=second, actor=Actor.of(root))
    assert refused.value.problem.status == 409
    assert Provider.objects.get().default_model == "first"


@pytest.mark.django_db
def test_providers_are_changed_with_the_right_only(draft: Agent, operator: User) -> None:
    with pytest.raises(RefusedError) as refused:
        save_provider(provider=Provider.objects.get(), actor=Actor.of(operator))
    assert refused.value.problem.status == 403
