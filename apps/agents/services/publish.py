"""Make the draft live: one immutable record, one pointer moved."""

from django.db import IntegrityError, transaction
from django.db.models import Max
from django.utils.translation import gettext as _

from apps.accounts.actor import Actor
from apps.agents.models import Agent, PublishRecord, ReleaseEvent
from apps.agents.rights import require
from apps.agents.services.body import draft_body
from apps.agents.services.checks import publish_faults
from apps.agents.services.epoch import raise_epoch
from apps.lib.canonical import canonical_json, digest
from apps.lib.clock import now
from apps.lib.problem import Problem, RefusedError

ATTEMPTS = 3


def publish_agent(*, agent: Agent, actor: Actor, note: str) -> PublishRecord:
    """Freeze the draft that `agent` was read as, and switch traffic to it; returns what is live.

    A draft equal to the live record writes nothing and returns that record. Refused (RefusedError):
    403 without the right, 409 when the draft or the live version changed since `agent` was read,
    400 with what is missing. `agent` is refreshed.
    """
    require(actor, agent, "publish_agent")
    for _attempt in range(ATTEMPTS):
        try:
            with transaction.atomic():
                record = _publish(agent, actor, note)
        except IntegrityError:
            # Another publisher took the version number; look again at what is live now.
            continue
        agent.refresh_from_db(fields=["live", "state"])
        return record
    raise _conflict()


def _publish(agent: Agent, actor: Actor, note: str) -> PublishRecord:
    draft = Agent.objects.select_related("provider", "live").filter(version=agent.version)
    row = draft.filter(pk=agent.pk).first()
    if row is None:
        raise _conflict()
    body = draft_body(row)
    if faults := publish_faults(row, body):
        raise _not_ready(faults)
    text = canonical_json(body)
    if row.live is not None and row.live.digest == digest(text):
        return row.live
    record = _freeze(row, text, actor, note)
    _switch(row, record, actor, note)
    raise_epoch()
    return record


def _freeze(agent: Agent, text: str, actor: Actor, note: str) -> PublishRecord:
    known = PublishRecord.objects.filter(agent_code=agent.code)
    return PublishRecord.objects.create(
        agent_code=agent.code,
        organisation_id=agent.organisation_id,
        version=(known.aggregate(highest=Max("version"))["highest"] or 0) + 1,
        body=text,
        digest=digest(text),
        note=note,
        published_at=now(),
        published_by=actor.username,
    )


def _switch(agent: Agent, record: PublishRecord, actor: Actor, note: str) -> None:
    """Move the pointer if draft and pointer are still what they were, and say so."""
    unchanged = Agent.objects.filter(
        pk=agent.pk, version=agent.version, live=agent.live, state=agent.state
    )
    if unchanged.update(live=record, state=Agent.State.PUBLISHED) != 1:
        raise _conflict()
    ReleaseEvent.objects.create(
        agent_code=agent.code,
        organisation_id=agent.organisation_id,
        kind=ReleaseEvent.Kind.PUBLISH,
        from_version=agent.live.version if agent.live else None,
        to_version=record.version,
        note=note,
        at=now(),
        by=actor.username,
    )


def _conflict() -> RefusedError:
    text = _("草稿或线上版本刚刚被别人改动，请查看后再发布。")
    return RefusedError(Problem(status=409, code="agent_changed", title=_("已被改动"), detail=text))


def _not_ready(faults: dict[str, list[str]]) -> RefusedError:
    return RefusedError(
        Problem(
            status=400,
            code="not_publishable",
            title=_("还不能发布"),
            detail=" ".join(text for texts in faults.values() for text in texts),
            errors=faults,
        )
    )
