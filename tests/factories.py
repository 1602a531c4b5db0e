"""Rows for tests, made plainly: no random values, no hidden neighbours."""

from typing import Any

from django.contrib.auth.models import Permission
from guardian.shortcuts import assign_perm

from apps.accounts.actor import Actor
from apps.accounts.models import Organisation, User
from apps.agents.models import Agent, AgentTool, Provider

CHAT = ("conversations.use_chat",)
STUDENTS = ("students.add_student", "students.view_student")
TOOLS = ("render_form", "create_student", "search_students")
RIGHTS = {
    "alice": ("use_agent",),
    "bob": ("use_agent",),
    "operator": ("use_agent", "edit_agent"),
}


def make_organisation(code: str) -> Organisation:
    return Organisation.objects.create(code=code, name=code)


def make_user(username: str, organisation: Organisation, *permissions: str, **fields: Any) -> User:
    """A user whose password is `password`, with the permissions named `app.codename`."""
    user = User.objects.create_user(
        username, password="password", organisation=organisation, **fields
    )
    user.user_permissions.set([permission_named(name) for name in permissions])
    return user


def permission_named(name: str) -> Permission:
    app, _, codename = name.partition(".")
    return Permission.objects.get(content_type__app_label=app, codename=codename)


def make_provider(organisation: Organisation, **fields: Any) -> Provider:
    values = {"name": "default", "kind": Provider.Kind.DEMO} | fields
    return Provider.objects.create(organisation=organisation, **values)


def make_agent(organisation: Organisation, code: str = "assistant", **fields: Any) -> Agent:
    """A draft bound to the student tools, on a demo provider unless one is given."""
    provider = fields.pop("provider", None) or make_provider(organisation)
    values = {"name": code, "prompt": "Be brief.", "welcome": "Hello."} | fields
    tools = values.pop("tools", TOOLS)
    agent = Agent.objects.create(organisation=organisation, code=code, provider=provider, **values)
    AgentTool.objects.bulk_create(AgentTool(agent=agent, name=name) for name in tools)
    return agent


def grant(user: User, agent: Agent, *rights: str) -> None:
    for right in rights:
        assign_perm(f"agents.{right}", user, agent)


def publish(agent: Agent) -> Agent:
    """The agent again, its draft live as the next version."""
    from apps.agents.services.publish import publish_agent  # noqa: PLC0415, a cycle at collection

    root = make_user(f"publisher-of-{agent.code}", agent.organisation, is_superuser=True)
    publish_agent(agent=agent, actor=Actor.of(root), note="for a test")
    agent.refresh_from_db()
    return agent
