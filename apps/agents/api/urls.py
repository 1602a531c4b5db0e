"""Under /api/agents/."""

from django.urls import path

from apps.agents.api.views import AgentList, AgentPublish

app_name = "agents"
urlpatterns = [
    path("", AgentList.as_view(), name="agent-list"),
    path("<str:code>/publish/", AgentPublish.as_view(), name="agent-publish"),
]
