"""Rename and remove a conversation by plain forms, so that neither needs a script."""

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from apps.conversations.pages.asking import actor_of, chat_page
from apps.conversations.services.conversations import change_conversation, delete_conversation
from apps.runtime.text import clean_text

TITLE_LIMIT = 200


@require_POST
@chat_page
def rename(request: HttpRequest, conversation_id: str) -> HttpResponse:
    """A blank title leaves the old one."""
    title = " ".join(clean_text(request.POST.get("title", "")).split())[:TITLE_LIMIT]
    change_conversation(
        actor=actor_of(request), conversation_id=conversation_id, title=title or None
    )
    messages.success(request, _("会话已重命名。"))
    return redirect("chat", conversation_id)


@require_POST
@chat_page
def delete(request: HttpRequest, conversation_id: str) -> HttpResponse:
    delete_conversation(actor=actor_of(request), conversation_id=conversation_id)
    messages.success(request, _("会话已删除。"))
    return redirect("home")
