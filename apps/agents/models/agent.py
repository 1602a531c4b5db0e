"""The draft of an agent, and what it is bound to."""

from typing import ClassVar, cast

from django.core.exceptions import ValidationError
from django.core.validators import MaxValueValidator, MinValueValidator, RegexValidator
from django.db import models
from django.utils.translation import gettext_lazy as _
from guardian.shortcuts import get_objects_for_user

from apps.accounts.actor import Actor
from apps.accounts.models import Organisation, User
from apps.agents.models.provider import Provider
from apps.agents.suggestions import suggestion_faults

RIGHTS = [f"agents.{verb}_agent" for verb in ("use", "edit", "publish", "canary", "approve")]
CODE = r"^[a-z][a-z0-9_-]{1,62}\Z"


class AgentQuerySet(models.QuerySet["Agent"]):
    """Reads of agents."""

    def in_reach_of(self, actor: Actor) -> "AgentQuerySet":
        """Those of the actor's organisation, and the shared ones."""
        own = models.Q(organisation_id=actor.organisation_id)
        return self.filter(own | models.Q(shared=True))

    def for_actor(self, actor: Actor, right: str = "use_agent") -> "AgentQuerySet":
        """Those in reach on which the actor holds the right."""
        user = User.objects.get(pk=actor.user_id)
        rows = get_objects_for_user(user, f"agents.{right}", klass=self.in_reach_of(actor))
        return cast("AgentQuerySet", rows)

    def visible_to(self, actor: Actor) -> "AgentQuerySet":
        """Those in reach on which the actor holds any right; all of them for a superuser."""
        user = User.objects.get(pk=actor.user_id)
        if user.is_superuser:
            return self
        reach = self.in_reach_of(actor)
        return cast("AgentQuerySet", get_objects_for_user(user, RIGHTS, klass=reach, any_perm=True))


class Agent(models.Model):
    """The editable draft; what people meet is the record that `live` points to."""

    class PermissionMode(models.TextChoices):
        READ_ONLY = "READ_ONLY", _("只读")
        DEFAULT = "DEFAULT", _("默认")
        CONFIRM_ALL = "CONFIRM_ALL", _("全部确认")

    class PlanMode(models.TextChoices):
        OFF = "OFF", _("关闭")
        OPTIONAL = "OPTIONAL", _("可选")
        REQUIRED = "REQUIRED", _("必须")

    class State(models.TextChoices):
        DRAFT = "draft", _("草稿")
        PUBLISHED = "published", _("已发布")
        DISABLED = "disabled", _("已停用")
        RETIRED = "retired", _("已下线")

    organisation = models.ForeignKey(
        Organisation, on_delete=models.PROTECT, related_name="agents", verbose_name=_("组织")
    )
    code = models.CharField(
        _("代码"),
        max_length=63,
        unique=True,
        validators=[RegexValidator(CODE), RegexValidator("_published", inverse_match=True)],
        help_text=_("小写字母开头，可含小写字母、数字、“_”和“-”；保存后不能更改。"),
    )
    name = models.CharField(_("名称"), max_length=100)
    shared = models.BooleanField(_("所有组织可用"), default=False)
    state = models.CharField(
        _("状态"), max_length=10, choices=State, default=State.DRAFT, editable=False
    )
    prompt = models.TextField(_("提示词"), blank=True)
    provider = models.ForeignKey(
        Provider, on_delete=models.PROTECT, related_name="agents", verbose_name=_("模型服务")
    )
    model_name = models.CharField(
        _("模型"), max_length=128, blank=True, help_text=_("留空则用模型服务的默认模型。")
    )
    temperature = models.FloatField(
        _("温度"), null=True, blank=True, validators=[MinValueValidator(0), MaxValueValidator(2)]
    )
    top_p = models.FloatField(
        _("Top P"), null=True, blank=True, validators=[MinValueValidator(0), MaxValueValidator(1)]
    )
    max_tokens = models.PositiveIntegerField(
        _("每次回答的最大 token 数"), null=True, blank=True, validators=[MinValueValidator(1)]
    )
    max_iters = models.PositiveIntegerField(
        _("最大步数"), default=10, validators=[MinValueValidator(1), MaxValueValidator(50)]
    )
    permission_mode = models.CharField(
        _("权限模式"), max_length=12, choices=PermissionMode, default=PermissionMode.DEFAULT
    )
    plan_mode = models.CharField(
        _("计划模式"), max_length=8, choices=PlanMode, default=PlanMode.OFF
    )
    icon = models.CharField(_("图标"), max_length=40, blank=True)
    welcome = models.TextField(_("欢迎语"), blank=True)
    suggestions = models.JSONField(_("建议问题"), default=list, blank=True)
    live = models.ForeignKey(
        "PublishRecord",
        on_delete=models.PROTECT,
        null=True,
        editable=False,
        related_name="+",
        verbose_name=_("线上版本"),
    )
    version = models.PositiveIntegerField(default=1, editable=False)
    updated_at = models.DateTimeField(_("更新时间"), null=True, editable=False)
    updated_by = models.ForeignKey(
        User, on_delete=models.SET_NULL, null=True, editable=False, related_name="+"
    )

    objects = AgentQuerySet.as_manager()

    class Meta:
        verbose_name = _("智能体")
        verbose_name_plural = _("智能体")
        permissions: ClassVar = [
            ("use_agent", _("使用智能体")),
            ("edit_agent", _("编辑智能体")),
            ("publish_agent", _("发布智能体")),
            ("canary_agent", _("灰度智能体")),
            ("approve_agent", _("审批智能体的调用")),
        ]

    def __str__(self) -> str:
        return self.name

    def clean(self) -> None:
        """A foreign provider and suggestions that are no short texts are refused."""
        if faults := suggestion_faults(self.suggestions):
            raise ValidationError({"suggestions": faults})
        provider = Provider.objects.filter(pk=self.provider_id).first()
        if provider is not None and not provider.usable_by(self.organisation_id):
            text = _("这个模型服务属于另一个组织，不能使用。")
            raise ValidationError({"provider": text})


class AgentTool(models.Model):
    """A tool that the draft may call, by its name in the registry."""

    agent = models.ForeignKey(Agent, on_delete=models.CASCADE, related_name="tools")
    name = models.CharField(_("工具"), max_length=128)

    class Meta:
        verbose_name = _("工具")
        verbose_name_plural = _("工具")
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["agent", "name"], name="agent_tool_once")
        ]

    def __str__(self) -> str:
        return self.name
