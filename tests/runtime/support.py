"""Doubles of the ports that keep their promises."""

from collections.abc import AsyncGenerator, Awaitable, Callable, Sequence
from dataclasses import dataclass, field

from apps.runtime.events import RunCompleted, RunEvent, ToolCompleted, ToolEvent, ToolStarted
from apps.runtime.loop import AgentLoop
from apps.runtime.messages import (
    AssistantMessage,
    Message,
    ToolAnswer,
    ToolCall,
    ToolMessage,
    ToolSpec,
    UserMessage,
)
from apps.runtime.ports import ChatModel, Toolbox
from apps.runtime.scripted_model import ScriptedModel
from apps.runtime.steps import AgentSpec, Limits, Place, RecordedStep, Step
from apps.runtime.stopping import StopSignal

Body = Callable[[ToolCall], Awaitable[str]]


class MemoryJournal:
    """Keeps steps and answers of one run; shared by all its legs."""

    def __init__(self) -> None:
        self.steps: list[Step] = []
        self.answers: dict[str, ToolAnswer] = {}
        self.places: dict[str, Place] = {}

    async def load(self) -> Sequence[RecordedStep]:
        return [RecordedStep(step=step, answers=self.answers) for step in self.steps]

    async def commit_step(self, step: Step) -> None:
        assert step.index == len(self.steps)
        self.steps.append(step)

    async def settle(self, call: ToolCall, place: Place, answer: ToolAnswer) -> ToolAnswer:
        self.places[call.id] = place
        return self.answers.setdefault(call.id, answer)

    def messages(self) -> list[Message]:
        recorded = [RecordedStep(step=step, answers=self.answers) for step in self.steps]
        return [message for item in recorded for message in item.messages()]


class BodyToolbox:
    """Runs plain functions; answers are durable in the journal before they are told.

    As the gateway does, it answers calls of unknown tools and calls nobody could read itself.
    """

    def __init__(self, journal: MemoryJournal, **bodies: Body) -> None:
        self._journal = journal
        self._bodies = bodies
        self.ran: list[ToolCall] = []

    async def call(self, call: ToolCall, place: Place) -> AsyncGenerator[ToolEvent, None]:
        yield ToolStarted(call=call)
        answer = self._refusal(call) or await self._run(call)
        yield ToolCompleted(call=call, answer=await self._journal.settle(call, place, answer))

    def _refusal(self, call: ToolCall) -> ToolAnswer | None:
        why = call.arguments_error
        if call.name not in self._bodies:
            names = ", ".join(self._bodies) or "none"
            why = f"There is no tool {call.name!r}. Available: {names}."
        return ToolAnswer(ok=False, content=why, error=why) if why else None

    async def _run(self, call: ToolCall) -> ToolAnswer:
        self.ran.append(call)
        return ToolAnswer(ok=True, content=await self._bodies[call.name](call))


async def ok(call: ToolCall) -> str:
    return f"{call.name} ok"


def tool(name: str) -> ToolSpec:
    return ToolSpec(name=name, description=name, parameters={"type": "object"})


def spec(*names: str, limits: Limits | None = None) -> AgentSpec:
    return AgentSpec(model="m", tools=tuple(map(tool, names)), limits=limits or Limits())


def asks(text: str) -> list[Message]:
    return [UserMessage(content=text)]


@dataclass(kw_only=True)
class Leg:
    """Everything a leg of a run needs, with the events it told."""

    model: ChatModel
    journal: MemoryJournal = field(default_factory=MemoryJournal)
    toolbox: Toolbox | None = None
    spec: AgentSpec = field(default_factory=spec)
    stop: StopSignal = field(default_factory=StopSignal)
    events: list[RunEvent] = field(default_factory=list)

    async def run(self, text: str = "go") -> RunCompleted:
        toolbox = self.toolbox or BodyToolbox(self.journal)
        loop = AgentLoop(spec=self.spec, model=self.model, toolbox=toolbox, journal=self.journal)
        async for event in loop.run(asks(text), self.stop):
            self.events.append(event)
        last = self.events[-1]
        assert isinstance(last, RunCompleted)
        return last

    def names(self) -> list[str]:
        return [event.name for event in self.events]


def leg(model: ScriptedModel, *, limits: Limits | None = None, **bodies: Body) -> Leg:
    journal = MemoryJournal()
    toolbox = BodyToolbox(journal, **bodies)
    return Leg(model=model, journal=journal, toolbox=toolbox, spec=spec(*bodies, limits=limits))


def answers(run: Leg) -> list[tuple[str, bool, str]]:
    done = [event for event in run.events if isinstance(event, ToolCompleted)]
    return [(event.call.name, event.answer.ok, event.answer.content) for event in done]


def assert_history_is_whole(run: Leg) -> None:
    """Every call has exactly one answer, right behind its message, as strict servers want."""
    wanted: list[str] = []
    for message in run.journal.messages():
        if isinstance(message, ToolMessage):
            assert message.call_id == wanted.pop(0)
        else:
            assert not wanted
            wanted = [c.id for c in message.calls] if isinstance(message, AssistantMessage) else []
    assert not wanted
