"""The agent as its page shows it, and whether it may be talked to."""

from dataclasses import dataclass

from django.utils.translation import gettext as _

from apps.accounts.actor import Actor
from apps.accounts.models import User
from apps.agents.demo_texts import for_reader
from apps.agents.models import Agent, Provider
from apps.agents.rights import may
from apps.agents.services import catalogue
from apps.agents.snapshot import Snapshot
from apps.conversations.models import Conversation
from apps.conversations.services.admission import CHAT
from apps.lib.sprite import symbols
from apps.runtime.errors import RunError

DEFAULT_ICON = "bot"


@dataclass(frozen=True, slots=True, kw_only=True)
class AgentView:
    """Name, welcome and version as they are live, for the reader; `demo` is the built-in model."""

    code: str
    name: str
    icon: str = DEFAULT_ICON
    welcome: str = ""
    suggestions: tuple[str, ...] = ()
    version: str = ""
    demo: bool = False


def usable_agents(actor: Actor) -> list[Agent]:
    """Those the person may begin a conversation with, by name."""
    if not _may_chat(actor):
        return []
    live = Agent.objects.for_actor(actor).filter(state=Agent.State.PUBLISHED, live__isnull=False)
    return list(live.order_by("name", "pk"))


def agent_view(agent: Agent, variant: str = Conversation.Variant.PUBLISHED) -> AgentView:
    """What is live, or the draft of a conversation that tries it; else its bare name."""
    catalogue.ensure_fresh()
    draft = variant == Conversation.Variant.DRAFT
    snapshot = catalogue.draft_snapshot(agent) if draft else catalogue.live_snapshot(agent)
    if snapshot is None:
        return AgentView(code=agent.code, name=for_reader(agent.name))
    return AgentView(
        code=agent.code,
        name=for_reader(snapshot.name),
        icon=snapshot.page.icon if snapshot.page.icon in symbols() else DEFAULT_ICON,
        welcome=for_reader(snapshot.page.welcome),
        suggestions=tuple(map(for_reader, snapshot.page.suggestions)),
        version=version_text(snapshot.version_label),
        demo=_is_demo(snapshot),
    )


def version_text(label: str) -> str:
    """`v7`; a draft by its word."""
    return _("草稿") if label == "draft" else f"v{label}" if label else ""


def why_closed(actor: Actor, agent: Agent, variant: str = Conversation.Variant.PUBLISHED) -> str:
    """Why nothing can be sent, and whom to ask; empty when something can."""
    if not _may_chat(actor):
        return _("您没有使用聊天的权限，所以不能发送消息。如需使用，请向您所在组织的管理员申请。")
    draft = variant == Conversation.Variant.DRAFT
    if not may(actor, agent, "edit_agent" if draft else "use_agent"):
        return _(
            "您已没有使用这个智能体的权限，所以不能再发送消息；以前的内容仍可查看。"
            "如需恢复，请联系您所在组织的管理员。"
        )
    if draft:
        return ""
    if agent.state in (Agent.State.DISABLED, Agent.State.RETIRED):
        return _(
            "这个智能体已停用，所以不能再发送消息；以前的内容仍可查看。"
            "想知道何时恢复，请问您所在组织的管理员。"
        )
    if agent.live_id is None:
        return _("这个智能体还没有发布，所以不能发送消息。请问您所在组织的管理员何时发布。")
    return ""


def _may_chat(actor: Actor) -> bool:
    user = User.objects.filter(pk=actor.user_id).first()
    return user is not None and user.has_perm(CHAT)


def _is_demo(snapshot: Snapshot) -> bool:
    try:
        return catalogue.provider_config(snapshot.provider_id).kind == Provider.Kind.DEMO
    except RunError:
        return False
