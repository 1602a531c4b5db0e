"""Every word that the client says by itself, in the language of the page.

`{name}` stands for a figure. What a form is told is what the server would say of it.
"""

import re

from django.utils.translation import get_language
from django.utils.translation import gettext as _

from apps.conversations.error_texts import error_texts
from apps.conversations.pages.end_texts import end_texts
from apps.conversations.pages.submissions import submission_texts
from apps.conversations.pages.tool_cards import state_texts

_FIGURE = re.compile(r"%\((\w+)\)[sd]")


def client_texts() -> dict[str, str]:
    """By key, in camelCase."""
    tools = {f"tool{_camel(state)}": text for state, text in state_texts().items()}
    runs = error_texts(get_language() or "")
    errors = {f"error{_camel(code)}": text for code, text in runs.items()}
    ends = {f"end{_camel(reason)}": text for reason, text in end_texts().items()}
    told = {**_connection(), **_answer(), **_actions(), **_forms(), **_refusals()}
    return {**told, **submission_texts(), **ends, **tools, **errors}


def _connection() -> dict[str, str]:
    return {
        "online": _("在线"),
        "connecting": _("正在连接…"),
        "offline": _("连接已断开，正在重新连接…"),
        "reconnected": _("已重新连接"),
        "noNetwork": _("没有网络。恢复后会自动继续，已输入的内容不会丢失。"),
    }


def _answer() -> dict[str, str]:
    return {
        "sending": _("正在发送…"),
        "notSent": _("没有发送成功"),
        "answering": _("正在回答…"),
        "thinking": _("正在思考…"),
        "answered": _("回答完成"),
        "stopping": _("正在停止…"),
        "stopped": _("已停止"),
        "failed": _("没有完成"),
        "restated": _("回答在中断后重新开始"),
    }


def _actions() -> dict[str, str]:
    return {
        "send": _("发送"),
        "stop": _("停止"),
        "copy": _("复制"),
        "copied": _("已复制"),
        "copyFailed": _("无法复制，请选中文字后复制。"),
        "copyCode": _("复制代码"),
        "retry": _("重试"),
        "toLatest": _("回到最新消息"),
        "renamed": _("会话已重命名。"),
        "withdrawn": _("已收回，没有发送。"),
        "composerHint": composer_hint(),
    }


def composer_hint() -> str:
    return _("回答由 AI 生成，可能有误。")


def _forms() -> dict[str, str]:
    """The errors are those of `apps/forms/faults.py`, word for word: one catalogue entry each."""
    texts = {
        "formShown": _("请填写表单：{title}"),
        "formSubmit": _("提交"),
        "formSubmitting": _("正在提交…"),
        "formSubmitted": _("已提交"),
        "formErrors": _("有 {count} 处需要修改，请看标出的地方。"),
        "formNotSent": _("没有提交成功，填写的内容还在，请重试。"),
        "formChoose": _("请选择"),
        "formEmpty": _("未填写"),
        "formYes": _("是"),
        "formNo": _("否"),
        "helpRange": _("%(min)s 到 %(max)s"),
        "helpMin": _("不小于 %(min)s"),
        "helpMax": _("不大于 %(max)s"),
        "errorRequired": _("此项必填，请填写。"),
        "errorTooLong": _("最多 %(limit)d 个字符，现在有 %(length)d 个，请缩短。"),
        "errorNotNumber": _("必须是数字，请改用数字。"),
        "errorNotFinite": _("数字超出可表示的范围，请改用较小的数字。"),
        "errorMin": _("不能小于 %(least)s，请改大。"),
        "errorMax": _("不能大于 %(most)s，请改小。"),
        "errorDate": _("必须是真实存在的日期，请按 2026-05-01 的格式填写。"),
        "errorOption": _("不在可选项中，请从可选项中选择。"),
        "errorCharacters": _("含有无法保存的字符（空字符或不完整的字符），请删除。"),
    }
    return {key: _FIGURE.sub(r"{\1}", text) for key, text in texts.items()}


def _refusals() -> dict[str, str]:
    return {
        "sessionEnded": _("登录已过期，请重新登录。已输入的内容会保留。"),
        "rightLost": _("您已没有使用这个智能体的权限。如需恢复，请联系您所在组织的管理员。"),
        "notFound": _("这个会话已被删除。"),
        "tooLong": _("内容最多 {limit} 个字符，现在有 {length} 个，请缩短。"),
        "tryAgainIn": _("请在 {seconds} 秒后重试。"),
        "runInProgress": _("上一条回答还没有结束，请等它结束或先停止。"),
        "internalError": _("系统内部出错，请重试。如果反复出现，请把追踪号告诉管理员。"),
        "unknownError": _("出错了，请重试。"),
    }


def _camel(state: str) -> str:
    return "".join(word.capitalize() for word in state.split("_"))
