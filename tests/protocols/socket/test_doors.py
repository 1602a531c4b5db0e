"""Who may open a socket, and who must leave it (S04)."""

import uuid
from collections.abc import Iterator
from contextlib import AbstractContextManager

import pytest
from websockets.exceptions import InvalidStatus

from tests.protocols.model_server import ModelServer
from tests.protocols.socket.sockets import Socket, socket
from tests.server import RunningServer, manage, running
from tests.wire_client import API, Client

pytestmark = pytest.mark.req("S04")
NAME = "chat.example.org"


@pytest.fixture(scope="module")
def strict(model: ModelServer) -> Iterator[RunningServer]:
    """Asks again every second, and has a name of its own."""
    hosts = f"127.0.0.1,localhost,{NAME}"
    with running(
        OPENAI_BASE_URL=model.url, RECHECK_SECONDS="1", DJANGO_ALLOWED_HOSTS=hosts
    ) as served:
        yield served


@pytest.fixture
def person(strict: RunningServer) -> Client:
    return Client(strict).sign_in("alice")


def handshake(opening: AbstractContextManager[Socket]) -> int:
    """101 for a socket that opens, else the status of the refusal."""
    try:
        with opening as chat:
            chat.hello()
            return 101
    except InvalidStatus as refused:
        return int(refused.response.status_code)


FOREIGN = (
    None,
    "",
    "null",
    "https://evil.example",
    "http://127.0.0.1.evil.example:{port}",
    "http://evil.example/127.0.0.1:{port}",
    "http://127.0.0.1:{port}@evil.example",
    "http://evil.example@127.0.0.1:{port}",
    "http://127.0.0.1:{port}.evil.example",
    "http://127.0.0.1:{port}/path",
    "http://127.0.0.1:{other}",
    "http://localhost:{other}",
    f"https://{NAME}.evil.example",
    f"https://evil{NAME}",
    f"https://{NAME}:8443",
    "file://127.0.0.1:{port}",
    "ftp://127.0.0.1:{port}",
    "//127.0.0.1:{port}",
    "127.0.0.1:{port}",
    "http://[::1",
    "http://127.0.0.1:x",
    "http://127.0.0.1:{port} http://127.0.0.1:{port}",
    "http://127.0.0.1:{port},http://evil.example",
)


@pytest.mark.case("DJ-021")
@pytest.mark.parametrize("origin", FOREIGN)
def test_pages_from_elsewhere_are_refused(person: Client, origin: str | None) -> None:
    port = person.server.port
    named = origin and origin.format(port=port, other=port + 1)
    conversation = person.converse()
    # 400: no origin at all, and daphne itself says so.
    assert handshake(socket(person, conversation, headers={"Origin": named})) in (400, 403)


@pytest.mark.parametrize("origin", [f"https://{NAME}", f"http://{NAME}", f"https://{NAME}:443"])
def test_own_names_are_own_origins(person: Client, origin: str) -> None:
    assert handshake(socket(person, person.converse(), headers={"Origin": origin})) == 101


def test_unknown_address_is_refused(person: Client) -> None:
    for path in ("/ws/", "/ws/chat/", "/ws/chat/x/y/", "/"):
        assert handshake(socket(person, "", path=path)) == 403


def test_program_with_a_token_names_no_origin(strict: RunningServer) -> None:
    program = Client(strict).take_token("alice")
    conversation = program.converse()
    assert handshake(socket(program, conversation)) == 101
    evil: dict[str, str | None] = {"Origin": "https://evil.example"}
    assert handshake(socket(program, conversation, headers=evil)) == 403
    wrong: dict[str, str | None] = {"Authorization": "Token wrong"}
    with socket(program, conversation, headers=wrong) as chat:
        assert chat.close_code() == 4401


def test_stranger_is_told_by_4401(person: Client) -> None:
    conversation = person.converse()
    for cookie in (None, "sessionid=nonsense"):
        with socket(person, conversation, headers={"Cookie": cookie}) as chat:
            assert chat.close_code() == 4401
            assert chat.frames == []


@pytest.mark.parametrize("place", ["foreign", "missing", "a%00b", "%F0%9F%98%80"])
def test_foreign_and_missing_are_told_by_4404(
    strict: RunningServer, person: Client, place: str
) -> None:
    own = Client(strict).sign_in("bob").converse() if place == "foreign" else place
    with socket(person, own) as chat:
        assert chat.close_code() == 4404
        assert chat.frames == []


@pytest.mark.case("DJ-022")
def test_sign_out_elsewhere_closes_the_socket(strict: RunningServer, person: Client) -> None:
    conversation = person.converse()
    with socket(person, conversation) as idle, socket(person, conversation) as busy:
        idle.hello()
        busy.hello()
        person.request("POST", "/accounts/logout/", b"", {"Content-Type": "text/plain"})
        busy.say("hello", ref="late")
        assert busy.refused()["data"]["code"] == "not_authenticated"
        assert busy.close_code(3) == 4401
        assert idle.close_code(5) == 4401
    assert Client(strict).sign_in("alice").messages(conversation) == []


@pytest.mark.case("DJ-022")
def test_lost_right_closes_the_socket(strict: RunningServer, held: ModelServer) -> None:
    approver = Client(strict).sign_in("approver")
    conversation = approver.converse()
    ended = approver.say(conversation, "你好")
    assert list(ended.events())[-1].data["status"] == "completed"
    stream = approver.say(conversation, "hold")
    with socket(approver, conversation) as chat:
        chat.hello()
        run(
            strict,
            "from guardian.models import UserObjectPermission as P; "
            "P.objects.filter(user__username='approver', "
            "permission__codename='use_agent').delete()",
        )
        assert chat.close_code(5) == 4403
    with socket(approver, conversation) as chat:
        assert chat.close_code() == 4403
    assert approver.follow(conversation, stream.run_id).answer().code == "permission_denied"
    assert approver.follow(conversation, ended.run_id).status == 200
    with pytest.raises((ConnectionError, TimeoutError)):
        list(stream.events())
    held.release.set()


@pytest.mark.case("DJ-022")
def test_deactivated_account_closes_the_socket(strict: RunningServer, held: ModelServer) -> None:
    bob = Client(strict).sign_in("bob")
    program = Client(strict).take_token("bob")
    conversation = bob.converse()
    stream = bob.say(conversation, "hold")
    reader = program.follow(conversation, stream.run_id)
    with socket(bob, conversation) as page, socket(program, conversation) as other:
        page.hello()
        other.hello()
        run(
            strict,
            "from apps.accounts.models import User; "
            "User.objects.filter(username='bob').update(is_active=False)",
        )
        assert page.close_code(5) == other.close_code(5) == 4401
    for open_stream in (stream, reader):
        with pytest.raises((ConnectionError, TimeoutError)):
            list(open_stream.events())
    held.release.set()


def test_signed_out_reader_is_cut_off(strict: RunningServer, held: ModelServer) -> None:
    person, still = Client(strict).sign_in("alice"), Client(strict).sign_in("alice")
    conversation = person.converse()
    stream = person.say(conversation, "hold")
    other = still.follow(conversation, stream.run_id)
    person.request("POST", "/accounts/logout/", b"", {"Content-Type": "text/plain"})
    with pytest.raises(ConnectionError):
        list(stream.events())
    held.release.set()
    assert list(other.events())[-1].data["status"] == "completed"


def test_deleted_conversation_closes_the_socket(person: Client) -> None:
    conversation = person.converse()
    with socket(person, conversation) as chat:
        chat.hello()
        assert person.request("DELETE", f"{API}{conversation}/").status == 204
        assert chat.close_code(5) == 4404


def test_who_may_stay_stays(person: Client) -> None:
    conversation = person.converse()
    with socket(person, conversation) as chat:
        chat.hello()
        chat.say("count 30 0.1", clientRequestId=str(uuid.uuid4()))
        assert chat.run()[1][-1].data["status"] == "completed"


def run(server: RunningServer, code: str) -> None:
    manage(server.environment, "shell", "-v", "0", "-c", code)
