"""What operators have switched off starts no run, whatever is published."""

from collections.abc import Mapping

from django.utils.translation import gettext as _

from apps.accounts.actor import Actor
from apps.agents.snapshot import Snapshot
from apps.conversations.refusals import conflict, forbidden
from apps.tools.models import Switch
from apps.tools.services.switches import off_among

USER, AGENT, PROVIDER = Switch.Kind.USER, Switch.Kind.AGENT, Switch.Kind.PROVIDER


def reasons_off(actor: Actor, snapshot: Snapshot) -> Mapping[str, str]:
    """Which of person, agent and provider are off now, by kind, and why."""
    objects = [
        (USER.value, str(actor.user_id)),
        (AGENT.value, snapshot.agent_code),
        (PROVIDER.value, str(snapshot.provider_id)),
    ]
    return {kind: switch.reason for (kind, _key), switch in off_among(objects).items()}


def require_on(actor: Actor, snapshot: Snapshot) -> None:
    """RefusedError 403 for a person who is switched off, 409 for agent and provider."""
    off = reasons_off(actor, snapshot)
    if USER in off:
        raise forbidden(_("您的账号已被管理员停用：{reason}").format(reason=off[USER]))
    if AGENT in off:
        text = _("这个智能体已被管理员停用：{reason}").format(reason=off[AGENT])
        raise conflict("agent_disabled", text)
    if PROVIDER in off:
        text = _("这个智能体的模型服务已被管理员停用：{reason}").format(reason=off[PROVIDER])
        raise conflict("provider_disabled", text)
