"""The agents of these tests, beside the seeded one: what each says is written here.

`seed` runs in a process of the server's environment, over `manage.py shell`; bob may use them all,
so that alice has the one agent of the demonstration.
"""

import os
from typing import Any

from tests.server import RunningServer, manage

Answer = dict[str, Any]
UNSAFE = "<img src=x onerror=\"window.__hit='{}'\">"  # short enough for a label and a name
UNSAFE_TEXT = "\n\n".join(
    (
        UNSAFE.format("text"),
        "<script>window.__hit='script'</script>",
        "<svg onload=\"window.__hit='svg'\"></svg>",
        "<iframe srcdoc=\"<script>parent.__hit='frame'</script>\"></iframe>",
        "<style>body{display:none}</style>",
        "[link](javascript:window.__hit='link') <javascript:window.__hit='auto'>",
        "![image](http://127.0.0.1:9/pixel.png)",
        "<a href=\"javascript:window.__hit='a'\" onmouseover=\"window.__hit='over'\">anchor</a>",
        "<form id=composer action=/accounts/logout/><input name=attributes></form>",
        "```html\n" + UNSAFE.format("code") + "\n```",
        "`" + UNSAFE.format("span") + "` the end",
    )
)
MARKDOWN = """# 学费说明

本学期学费为 **3,200 元**，包含：

- 教材费 _240 元_
- 午餐费 1,100 元
  - 可以退

| 年级 | 人数 |
| --- | ---: |
| 三年一班 | 42 |
| 三年二班 | 39 |

```python
def fee(days: int) -> int:
    return days * 16
```

详见 [说明](https://example.com/fees)。"""
TYPES = {
    "title": "学生档案",
    "description": "带 * 的必须填写。",
    "fields": [
        {"name": "name", "label": "姓名", "type": "text", "required": True, "placeholder": "张三"},
        {"name": "age", "label": "年龄", "type": "number", "min": 3, "max": 18},
        {
            "name": "grade",
            "label": "年级",
            "type": "select",
            "options": [{"label": "三年级", "value": 3}, {"label": "四年级", "value": 4}],
        },
        {"name": "birthday", "label": "生日", "type": "date"},
        {"name": "boarding", "label": "住校", "type": "switch"},
        {"name": "note", "label": "备注", "type": "textarea"},
    ],
}
UNSAFE_FORM = {
    "title": UNSAFE.format("title"),
    "description": UNSAFE.format("about"),
    "fields": [
        {"name": "name", "label": UNSAFE.format("l"), "type": "text", "required": True},
        {
            "name": "__proto__",
            "label": UNSAFE.format("l2"),
            "type": "text",
            "placeholder": UNSAFE.format("placeholder"),
        },
        {
            "name": "kind",
            "label": "kind",
            "type": "select",
            "options": [{"label": UNSAFE.format("option"), "value": UNSAFE.format("value")}],
        },
    ],
}


def _call(name: str, arguments: dict[str, Any]) -> Answer:
    return {"calls": [{"name": name, "arguments": arguments}]}


def _find(keyword: str) -> Answer:
    return _call("search_students", {"keyword": keyword})


FAILURE = {"code": "model_unavailable", "retryable": True}
SCRIPTS: dict[str, list[Answer]] = {
    # By process: an answer is used up, so that a second try gets the next one.
    "failing": [{"text": "Par", "error": FAILURE}, {"text": "Recovered at last."}],
    "steps": [{"text": "A", **_find("李小明")}, {"text": "B", **_find("王芳")}, {"text": "C"}],
    "slow-steps": [
        {"text": "First", **_find("李小明")},
        {"text": "Second", **_find("王芳")},
        {"text": " ".join(f"w{n}" for n in range(200)), "paceMs": 100},
    ],
    "types": [_call("render_form", TYPES), {"text": "请填写。"}, {"text": "收到了。"}],
    "markdown": [{"text": MARKDOWN}] * 9,
    "thinking": [{"reasoning": "先想一想。", "text": "想好了。"}],
    "refused": [
        _call("create_student", {"name": "赵六", "studentNo": "S-1"}),
        {"text": "没有权限。"},
    ],
    "unsafe": [
        _find("onerror"),
        {"text": UNSAFE_TEXT, **_call("render_form", UNSAFE_FORM)},
        {"text": "filled " + UNSAFE.format("after")},
        {"text": "thanks " + UNSAFE.format("after")},
    ],
}
LONG = "w" * 100
SUGGESTIONS = {"thinking": [LONG, "请开始"]}
ICONS = {"thinking": "no-such-icon"}
NAMES = {"types": "学籍助理", "markdown": "费用助理", "unsafe": UNSAFE.format("agent")}


def add_agents(server: RunningServer, model_url: str) -> None:
    """Publish them in the server's database."""
    code = "from tests.browser.agents import seed; seed()"
    manage({**server.environment, "TOLD_MODEL": model_url}, "shell", "-v", "0", "-c", code)


def seed() -> None:
    from apps.accounts.models import Organisation  # noqa: PLC0415, only with this environment
    from apps.students.models import Student  # noqa: PLC0415
    from tests.factories import make_provider  # noqa: PLC0415

    home = Organisation.objects.get(code="demo")
    for code, script in SCRIPTS.items():
        by = "process" if code == "failing" else "conversation"
        options = {"script": script, "by": by}
        _agent(home, code, make_provider(home, name=code, kind="scripted", options=options))
    url = os.environ["TOLD_MODEL"]
    told = {"kind": "openai", "base_url": url, "api_key": "k", "default_model": "m"}
    _agent(home, "told", make_provider(home, name="told", **told))
    known = Student.objects.filter(organisation=home).earliest("pk")
    Student.objects.create(
        organisation=home,
        name=UNSAFE.format("student"),
        student_no="S-unsafe",
        school_class=known.school_class,
        created_at=known.created_at,
    )


def _agent(home: Any, code: str, provider: Any) -> None:
    from apps.accounts.actor import Actor  # noqa: PLC0415, only with this environment
    from apps.accounts.models import User  # noqa: PLC0415
    from apps.agents.services.publish import publish_agent  # noqa: PLC0415
    from tests.factories import grant, make_agent  # noqa: PLC0415

    unsafe = UNSAFE.format("w") if code == "unsafe" else ""
    agent = make_agent(
        home,
        code,
        provider=provider,
        name=NAMES.get(code, code),
        welcome=unsafe or "您好，请说。",
        suggestions=SUGGESTIONS.get(code, [unsafe or "请开始"]),
        icon=ICONS.get(code, ""),
    )
    grant(User.objects.get(username="bob"), agent, "use_agent")
    admin = Actor.of(User.objects.get(username="admin"))
    publish_agent(agent=agent, actor=admin, note="for the tests of the page")
