"""Two publishers at once: each success is a whole version, nobody is overwritten."""

import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

import pytest
from django.db import connections

from apps.accounts.actor import Actor
from apps.accounts.models import User
from apps.agents.models import Agent, PublishRecord, ReleaseEvent
from apps.agents.services.drafts import save_draft
from apps.agents.services.publish import publish_agent
from apps.lib.problem import RefusedError
from tests import factories

pytestmark = pytest.mark.django_db(transaction=True)
ROUNDS = 10


def at_once(*works: Callable[[], str]) -> list[str]:
    """Run them in threads that start together; a refusal is its code."""
    start = threading.Barrier(len(works))

    def run(work: Callable[[], str]) -> str:
        start.wait()
        try:
            return work()
        except RefusedError as refused:
            return refused.problem.code
        finally:
            connections.close_all()

    with ThreadPoolExecutor(len(works)) as pool:
        return list(pool.map(run, works))


@pytest.mark.req("AGENT-3")
def test_the_same_draft_published_twice_is_one_version(draft: Agent, root: User) -> None:
    def work() -> str:
        agent = Agent.objects.get(pk=draft.pk)
        return str(publish_agent(agent=agent, actor=Actor.of(root), note="").version)

    for round_ in range(1, ROUNDS + 1):
        Agent.objects.filter(pk=draft.pk).update(prompt=f"Round {round_}")
        told = at_once(work, work)
        assert set(told) <= {str(round_), "agent_changed"}
        assert str(round_) in told
    versions = PublishRecord.objects.order_by("version").values_list("version", flat=True)
    assert list(versions) == list(range(1, ROUNDS + 1))
    assert ReleaseEvent.objects.count() == ROUNDS


@pytest.mark.case("VER-002")
@pytest.mark.req("AGENT-3")
def test_save_and_publish_never_publishes_the_others_draft(draft: Agent, root: User) -> None:
    def saver(prompt: str) -> Callable[[], str]:
        def work() -> str:
            agent = Agent.objects.get(pk=draft.pk)
            agent.prompt = prompt
            save_draft(agent=agent, tools=factories.TOOLS, actor=Actor.of(root))
            record = publish_agent(agent=agent, actor=Actor.of(root), note=prompt)
            return f"{record.version}:{prompt}"

        return work

    for round_ in range(ROUNDS):
        told = at_once(saver(f"X{round_}"), saver(f"Y{round_}"))
        for answer in told:
            version, _, prompt = answer.partition(":")
            if prompt:
                record = PublishRecord.objects.get(version=int(version))
                assert f'"prompt":"{prompt}"' in record.body
        assert any(":" in answer for answer in told)
