"""What agents may learn of the user's other conversations: that they exist, and when."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, gettext_noop

from apps.accounts.actor import Actor
from apps.accounts.models import User
from apps.conversations.api.pages import conversation_page
from apps.conversations.models import Conversation
from apps.conversations.services.finding import find_conversations
from apps.tools.registry import AgentContext, Availability, Presentation, agent_tool

LIMIT = 20
DESCRIPTION = gettext_noop(
    "查询当前用户自己以前的会话：标题、时间和链接，最近的在前。用户提到以前谈过的事情时调用；"
    "不返回会话内容。"
)
OWN_SURFACES = ("chat", "api", "agui", "playground")


def _told(text: str, **keywords: Any) -> Mapping[str, Any]:
    """The metadata of an input's field."""
    return {"description": text, **keywords}


@dataclass(frozen=True, slots=True, kw_only=True)
class ListConversationsInput:
    """What is looked for, and how much of it."""

    q: str = field(
        default="", metadata=_told("关键词，在标题和消息中查找，留空为全部", maxLength=200)
    )
    limit: int = field(
        default=10, metadata=_told(f"最多返回几个，1 到 {LIMIT}", minimum=1, maximum=LIMIT)
    )


class ConversationTools:
    """A person's own conversations, where the person is there: not for another agent's calls."""

    @agent_tool(
        "conversations_list",
        DESCRIPTION,
        ListConversationsInput,
        permission="conversations.use_chat",
        write_action=False,
        availability=Availability(surfaces=OWN_SURFACES),
        timeout=10,
        presentation=Presentation(title=gettext_lazy("查看历史对话")),
    )
    def conversations_list(
        self, input: ListConversationsInput, ctx: AgentContext
    ) -> dict[str, Any]:
        """Newest first, without the conversation in which it is asked."""
        user = User.objects.get(pk=ctx.user_id, organisation_id=ctx.organization_id)
        found = find_conversations(actor=Actor.of(user), text=input.q)
        rows = found.exclude(pk=ctx.session_id)
        page, _following = conversation_page(rows, None, size=input.limit)
        shown, count = [_shown(row) for row in page], rows.count()
        message = _("共找到 {count} 个会话").format(count=count)
        return {"status": "success", "count": count, "conversations": shown, "message": message}


def _shown(conversation: Conversation) -> dict[str, Any]:
    last = conversation.last_message_at or conversation.created_at
    return {
        "id": conversation.pk,
        "title": conversation.title or _("新对话"),
        "agent": conversation.agent.name,
        "startedAt": conversation.created_at,
        "lastMessageAt": last,
        "url": f"/c/{conversation.pk}/",
    }
