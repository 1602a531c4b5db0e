"""The demo model's rules, in both languages."""

from typing import Any

import pytest

from apps.runtime.demo_model import DemoModel
from apps.runtime.errors import RunError
from apps.runtime.events import ReasoningDelta
from apps.runtime.messages import (
    Message,
    ModelFinish,
    ModelRequest,
    TextDelta,
    ToolMessage,
    ToolSpec,
    UserMessage,
)
from tests.runtime.demo_tools import (
    CREATE,
    FORM,
    FORM_RESULT,
    SEARCH,
    TOOLS,
    created,
    found,
    student,
)
from tests.runtime.support import Leg
from tests.runtime.wire import numbered

WEATHER = ToolSpec(
    name="get_weather",
    description="Weather forecast of a city.",
    parameters={
        "properties": {
            "city": {"type": "string"},
            "days": {"type": "integer"},
            "wind": {"type": "boolean"},
            "since": {"type": "string", "format": "date"},
        },
        "required": ["city", "days"],
    },
)
Calls = list[tuple[str, Any]]


def demo() -> DemoModel:
    return DemoModel(agent="assistant", version="2", new_id=numbered(), pace=0)


async def told(*said: Message, tools: tuple[ToolSpec, ...] = TOOLS) -> tuple[str, Calls]:
    request = ModelRequest(model="demo", messages=said, tools=tools)
    deltas = [delta async for delta in demo().stream(request)]
    assert isinstance(deltas[-1], ModelFinish)
    text = "".join(delta.text for delta in deltas if isinstance(delta, TextDelta))
    return text, [(call.name, call.arguments) for call in deltas[-1].calls]


async def asked(text: str, tools: tuple[ToolSpec, ...] = TOOLS) -> tuple[str, Calls]:
    return await told(UserMessage(content=text), tools=tools)


async def answered(words: str, name: str, content: str) -> str:
    result = ToolMessage(call_id="c", name=name, content=content)
    text, calls = await told(UserMessage(content=words), result)
    assert calls == []
    return text


@pytest.mark.parametrize(
    ("text", "call"),
    [
        ("帮我新增学生“张伟”，女", ("create_student", {"name": "张伟", "gender": "female"})),
        ("please create a student named Ann", ("create_student", {"name": "Ann"})),
        ("add a student called Zhang San", ("create_student", {"name": "Zhang San"})),
        ("录入学生，姓名：李四，电话：139", ("create_student", {"name": "李四", "phone": "139"})),
        ("查找学生 张", ("search_students", {"keyword": "张"})),
        ("查询姓张的学生", ("search_students", {"keyword": "张"})),
        ("请帮我查一下所有学生", ("search_students", {})),
        ("find student Zhang", ("search_students", {"keyword": "Zhang"})),
        ("Find the student Zoe", ("search_students", {"keyword": "Zoe"})),
        ("Find students named Li Lei", ("search_students", {"keyword": "Li Lei"})),
        ("list all students", ("search_students", {})),
        ("Show me the students", ("search_students", {})),
        ("Which students do we have?", ("search_students", {})),
        ("How many students are there?", ("search_students", {})),
        ("Is there a student called Zoe?", ("search_students", {"keyword": "Zoe"})),
        ("Enroll a student named Zoe", ("create_student", {"name": "Zoe"})),
        ("显示所有学生", ("search_students", {})),
        ("看一下学生名单", ("search_students", {})),
        ("我们有多少学生？", ("search_students", {})),
        ("有没有叫张三的学生？", ("search_students", {"keyword": "张三"})),
        ("登记一个学生，名叫王有为", ("create_student", {"name": "王有为"})),
    ],
)
async def test_words_name_tool_and_arguments(text: str, call: tuple[str, Any]) -> None:
    assert await asked(text) == ("", [call])


@pytest.mark.parametrize(
    ("text", "keyword"),
    [
        ("Can you find Zoe?", "Zoe"),
        ("Find Zoe", "Zoe"),
        ("please look up Zoe Chen", "Zoe Chen"),
        ("Search for Zoe", "Zoe"),
        ("Who is Zoe?", "Zoe"),
        ("Who's Zoe?", "Zoe"),
        ("Find 张三", "张三"),
        ("查一下张三", "张三"),
        ("帮我找一下 Zoe", "Zoe"),
        ("请查找王小明的信息", "王小明"),
        ("搜一下李四", "李四"),
        ("谁是张三？", "张三"),
        ("王有为是谁？", "王有为"),
    ],
)
async def test_who_is_sought_is_enough(text: str, keyword: str) -> None:
    assert await asked(text) == ("", [("search_students", {"keyword": keyword})])
    assert (await asked(text, (FORM, CREATE)))[1] == []


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("Find 张三", "Nothing was found."),
        ("Who is 张三?", "Nothing was found."),
        ("Create a student named 李雷", "Nothing was found."),
        ("查一下 Zoe", "没有找到符合条件的记录。"),
        ("Zoe 是谁？", "没有找到符合条件的记录。"),
        ("张三", "没有找到符合条件的记录。"),
    ],
)
async def test_a_name_is_not_the_language(text: str, words: str) -> None:
    assert await answered(text, "search_students", found()) == words


@pytest.mark.parametrize(
    ("values", "arguments"),
    [
        (
            "姓名=张三，电话=13800000000，性别=male，学号=未填写",
            {"name": "张三", "phone": "13800000000", "gender": "male"},
        ),
        ("姓名=张，三，电话=未填写，学号=S=1", {"name": "张，三", "studentNo": "S=1"}),
        ("姓名=李雷，班级=3", {"name": "李雷", "classId": 3}),
    ],
)
async def test_submitted_form_becomes_the_call(values: str, arguments: dict[str, Any]) -> None:
    summary = f"已提交「新增学生」表单：{values}"
    assert await asked(summary) == ("", [("create_student", arguments)])


async def test_submitted_form_never_asks_again() -> None:
    _, calls = await asked("已提交「新增学生」表单：姓名=未填写")
    assert calls == [("create_student", {})]


async def test_other_schema_is_filled_by_type() -> None:
    text = 'weather in the city "Rome" for 3 days'
    expected = [("get_weather", {"city": "Rome", "days": 3})]
    assert (await asked(text, (WEATHER,)))[1] == expected
    text = "weather forecast, city: Rome, days: 3, wind: yes"
    expected = [("get_weather", {"city": "Rome", "days": 3, "wind": True})]
    assert (await asked(text, (WEATHER,)))[1] == expected


@pytest.mark.parametrize("text", ["add a student please", "New student!"])
async def test_english_words_get_an_english_form(text: str) -> None:
    said, [(name, form)] = await asked(text)
    assert (said, name, form["title"]) == ("", "render_form", "Create student")
    assert [field["label"] for field in form["fields"]] == ["Name", "Phone", "Gender", "Student no"]
    assert form["fields"][2]["options"][0] == {"label": "Male", "value": "male"}


async def test_missing_argument_asks_by_form() -> None:
    said, [(name, form)] = await asked("帮我新增一个学生")
    assert (said, name, form["title"]) == ("", "render_form", "新增学生")
    gender = [
        {"label": "男", "value": "male"},
        {"label": "女", "value": "female"},
        {"label": "未知", "value": "unknown"},
    ]
    hints = {field["name"]: field.pop("placeholder", "") for field in form["fields"]}
    assert "11 位" in hints["phone"]
    assert form["fields"] == [
        {"name": "name", "label": "姓名", "type": "text", "required": True},
        {"name": "phone", "label": "电话", "type": "text", "required": False},
        {
            "name": "gender",
            "label": "性别",
            "type": "select",
            "required": False,
            "options": gender,
        },
        {"name": "studentNo", "label": "学号", "type": "text", "required": False},
    ]


async def test_form_has_a_field_for_each_type() -> None:
    _, [(_, form)] = await asked("weather forecast", (WEATHER, FORM))
    kinds = [(field["name"], field["type"]) for field in form["fields"]]
    assert kinds == [("city", "text"), ("days", "number"), ("wind", "switch"), ("since", "date")]


async def test_without_form_tool_call_goes_out() -> None:
    assert await asked("帮我新增一个学生", (CREATE,)) == ("", [("create_student", {})])


async def test_form_tool_is_never_called_by_words() -> None:
    assert (await asked("当用户需要提供结构化数据时渲染表单", (FORM,)))[1] == []


@pytest.mark.parametrize(
    "text",
    [
        "hello",
        "你好",
        "",
        "😀",
        "学生证怎么办理",
        "add 2 and 3",
        "Who are you?",
        "What can you do?",
        "How do I find out?",
        "你是谁？",
        "谁是你的作者",
    ],
)
async def test_small_talk_names_agent_and_version(text: str) -> None:
    said, calls = await asked(text)
    assert calls == []
    assert "assistant" in said
    assert "2" in said


ANN = created(name="Ann", phone="13800000000", gender="female", studentNo="S-1")
TWO = found(student(name="张三", studentNo="S-1"), student(name="张四"))


@pytest.mark.parametrize(
    ("words", "name", "content", "sentence"),
    [
        (
            "帮我新增一个学生",
            "create_student",
            ANN,
            "已新增学生：Ann（学号 S-1，电话 13800000000，性别 女）。",
        ),
        (
            "add a student",
            "create_student",
            ANN,
            "Created student: Ann (student no S-1, phone 13800000000, gender Female).",
        ),
        ("新增学生", "create_student", "权限不足", "新增学生：权限不足。"),
        ("add", "create_student", '{"ok": false, "error": "No."}', "Create student: No."),
        ("新增学生", "render_form", FORM_RESULT, "需要的资料都在这张表单里。"),
        (
            "add",
            "render_form",
            FORM_RESULT,
            "All I need to know is in this form.",
        ),
        ("查找学生", "search_students", TWO, "找到 2 条：\n\n- 张三（学号 S-1）\n- 张四"),
        ("find", "search_students", TWO, "Found 2:\n\n- 张三 (student no S-1)\n- 张四"),
        ("查找学生", "search_students", found(), "没有找到符合条件的记录。"),
        ("find", "search_students", found(), "Nothing was found."),
        ("hi", "other_tool", '{"message": "fine"}', "Other tool: fine."),
    ],
)
async def test_result_is_told_in_a_sentence(
    words: str, name: str, content: str, sentence: str
) -> None:
    assert await answered(words, name, content) == sentence


async def test_summary_of_form_is_not_the_language() -> None:
    own, form = "add a student", "已提交「新增学生」表单：姓名=张三"
    result = ToolMessage(call_id="c", name="create_student", content=created(name="张三"))
    said, _ = await told(UserMessage(content=own), UserMessage(content=form), result)
    assert said == "Created student: 张三."


async def test_two_makes_two_calls_and_tells_both() -> None:
    _, calls = await asked("/two 新增学生“张伟”")
    assert calls == [("create_student", {"name": "张伟"})] * 2
    results = [ToolMessage(call_id=c, name="create_student", content=created(name=c)) for c in "ab"]
    said, calls = await told(UserMessage(content="/two 新增学生“张伟”"), *results)
    assert (said, calls) == ("已新增学生：a。\n\n已新增学生：b。", [])


async def test_think_shows_reasoning_first() -> None:
    leg = Leg(model=demo())
    await leg.run("/think hello")
    assert isinstance(leg.events[0], ReasoningDelta)


@pytest.mark.parametrize(
    ("text", "code"), [("/error 429", "model_rate_limited"), ("/error", "model_unavailable")]
)
async def test_error_word_raises_its_error(text: str, code: str) -> None:
    with pytest.raises(RunError) as caught:
        await asked(text)
    assert caught.value.code == code


async def test_same_words_give_same_answer() -> None:
    assert await asked("新增学生“张伟”") == await asked("新增学生“张伟”")


@pytest.mark.parametrize(
    ("text", "tools", "told"),
    [
        ("帮我新增一个学生", (FORM, SEARCH), "我现在能做的：查询学生。"),
        ("你好", TOOLS, "我现在能做的：新增学生、查询学生。"),
        ("Good morning", TOOLS, " I can: Create student, Search students."),
    ],
)
async def test_what_no_tool_fits_is_told_what_can_be_done(
    text: str, tools: tuple[ToolSpec, ...], told: str
) -> None:
    said, called = await asked(text, tools)
    assert called == []
    assert said.endswith(told)


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("帮我新增一个学生", "这件事我不能替您做：可能是您没有这项权限，请联系管理员。"),
        ("Add a student", "I cannot do that for you: you probably lack the right to it."),
    ],
)
async def test_what_nobody_offers_is_said_to_be_missing(text: str, told: str) -> None:
    said, called = await asked(text, (FORM, SEARCH))
    assert called == []
    assert said.startswith(told)


async def test_an_english_sentence_has_the_english_name() -> None:
    model = DemoModel(agent="学生助理", english="Ada", version="2", new_id=numbered(), pace=0)
    for text, name in (("hello", "Ada"), ("你好", "学生助理")):
        request = ModelRequest(model="demo", messages=(UserMessage(content=text),))
        deltas = [delta async for delta in model.stream(request)]
        said = "".join(delta.text for delta in deltas if isinstance(delta, TextDelta))
        assert name in said


@pytest.mark.parametrize(
    ("text", "arguments"),
    [
        ("Add a student named Otto, classId=99999", {"name": "Otto", "classId": 99999}),
        ('Add a student, phone="139", student no: 4', {"phone": '"139"'}),
    ],
)
async def test_a_name_is_heard_beside_pairs(text: str, arguments: dict[str, Any]) -> None:
    assert (await asked(text, (CREATE,)))[1] == [("create_student", arguments)]


async def test_model_without_tools_offers_none() -> None:
    assert (await asked("你好", (FORM,)))[0] == "这里是演示模型，智能体 assistant，版本 2。"
