"""A fetch connects to what was checked and to nothing else, in bounded time and size."""

import datetime
import ssl
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import httpx2
import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

from apps.lib.egress import EgressRefusedError, Guard
from apps.lib.fetch import FetchError, Limits, fetch
from apps.lib.guarded_transport import GuardedAsyncTransport, GuardedTransport
from tests.lib.outside import Outside, outside

QUICK = Limits(seconds=1.0)


class Names:
    """A resolver under our hand: each look-up takes the next answer, the last for ever."""

    def __init__(self, *answers: str) -> None:
        self.answers, self.asked = list(answers), 0

    def __call__(self, host: str, port: int) -> Sequence[str]:
        self.asked += 1
        return [self.answers.pop(0) if len(self.answers) > 1 else self.answers[0]]


@pytest.fixture
def server() -> Iterator[Outside]:
    with outside() as one:
        yield one


@pytest.fixture
def names() -> Names:
    return Names("127.0.0.1")


@pytest.fixture
def guard(server: Outside, names: Names) -> Guard:
    """Lets through the one server that plays the outside, by its name."""
    return Guard([f"out.example:{server.port}"], resolve=names)


@pytest.fixture
def base(server: Outside) -> str:
    return f"http://out.example:{server.port}"


def test_it_brings_the_answer(guard: Guard, base: str, server: Outside) -> None:
    found = fetch(f"{base}/x?y=1", guard=guard, headers={"X-Own": "1"})
    assert (found.status, found.body, found.url) == (200, b"hello", f"{base}/x?y=1")
    assert found.headers["content-length"] == "5"
    (asked,) = server.asked
    assert (asked.method, asked.path) == ("GET", "/x?y=1")
    assert asked.headers["host"] == f"out.example:{server.port}"
    assert (asked.headers["x-own"], asked.headers["accept-encoding"]) == ("1", "identity")


def test_it_sends_a_body(guard: Guard, base: str, server: Outside) -> None:
    server.status = 202
    assert fetch(f"{base}/", guard=guard, method="POST", content=b"{}").status == 202
    assert (server.asked[0].method, server.asked[0].body) == ("POST", b"{}")


@pytest.mark.req("MCP-5")
def test_a_private_server_is_never_reached(server: Outside) -> None:
    for url in (f"http://127.0.0.1:{server.port}/", f"http://localhost:{server.port}/"):
        with pytest.raises(EgressRefusedError):
            fetch(url, guard=Guard())
    assert server.asked == []


@pytest.mark.req("MCP-5")
def test_a_name_that_turns_private_is_refused_when_called(server: Outside) -> None:
    rebinding = Guard(resolve=Names("93.184.216.34", "127.0.0.1"))
    url = f"http://out.example:{server.port}/"
    rebinding.check(url)  # as it was when it was saved
    with pytest.raises(EgressRefusedError):
        fetch(url, guard=rebinding)
    assert server.asked == []


@pytest.mark.req("MCP-5")
def test_it_connects_to_what_was_checked(server: Outside) -> None:
    """The second answer would lead elsewhere; nobody asks for it."""
    names = Names("127.0.0.1", "169.254.169.254")
    guard = Guard([f"out.example:{server.port}"], resolve=names)
    assert fetch(f"http://out.example:{server.port}/", guard=guard).status == 200
    assert names.asked == 1


@pytest.mark.req("MCP-5")
@pytest.mark.parametrize(
    "target",
    [
        "http://127.0.0.1:{port}/inside",
        "//127.0.0.1:{port}/inside",
        "http://2130706433:{port}/inside",
        "http://[::ffff:127.0.0.1]:{port}/inside",
        "http://169.254.169.254/latest/meta-data/",
        "http://u@out.example:{port}/inside",
        "file:///etc/passwd",
        "gopher://out.example/",
    ],
)
def test_a_redirect_is_checked_anew(guard: Guard, base: str, server: Outside, target: str) -> None:
    server.target = target.format(port=server.port)
    with pytest.raises(EgressRefusedError):
        fetch(f"{base}/redirect/302", guard=guard, limits=Limits(redirects=3))
    assert [one.path for one in server.asked] == ["/redirect/302"]


@pytest.mark.req("MCP-5")
def test_a_name_may_turn_between_two_hops(base: str, server: Outside) -> None:
    names = Names("127.0.0.1", "10.0.0.1")
    guard = Guard([f"127.0.0.1:{server.port}"], resolve=names)
    server.target = "/inside"
    with pytest.raises(EgressRefusedError):
        fetch(f"{base}/redirect/302", guard=guard, limits=Limits(redirects=3))
    assert [one.path for one in server.asked] == ["/redirect/302"]


def test_a_good_redirect_is_followed(guard: Guard, base: str, server: Outside) -> None:
    server.target = "/there"
    limits = Limits(redirects=1)
    found = fetch(f"{base}/redirect/303", guard=guard, limits=limits, method="POST", content=b"x")
    assert (found.url, found.body) == (f"{base}/there", b"hello")
    assert [(one.method, one.body) for one in server.asked] == [("POST", b"x"), ("GET", b"")]
    found = fetch(f"{base}/redirect/307", guard=guard, limits=limits, method="POST", content=b"x")
    assert (server.asked[-1].method, server.asked[-1].body) == ("POST", b"x")


def test_without_redirects_the_answer_is_the_redirect(
    guard: Guard, base: str, server: Outside
) -> None:
    server.target = "/there"
    assert fetch(f"{base}/redirect/302", guard=guard).status == 302
    assert fetch(f"{base}/nowhere", guard=guard, limits=Limits(redirects=3)).status == 302


def test_a_circle_of_redirects_ends(guard: Guard, base: str, server: Outside) -> None:
    server.target = "/redirect/302"
    with pytest.raises(FetchError) as caught:
        fetch(f"{base}/redirect/302", guard=guard, limits=Limits(redirects=3))
    assert (caught.value.reason, len(server.asked)) == ("redirects", 4)


@pytest.mark.req("MCP-5")
def test_another_place_gets_no_header_of_ours(server: Outside, names: Names) -> None:
    guard = Guard([f"{n}.example:{server.port}" for n in ("one", "two")], resolve=names)
    server.target = f"http://two.example:{server.port}/"
    headers = {"Authorization": "Bearer x", "X-Api-Key": "x", "Cookie": "x=1"}
    url = f"http://one.example:{server.port}/redirect/302"
    fetch(url, guard=guard, limits=Limits(redirects=1), headers=headers)
    first, second = (set(one.headers) for one in server.asked)
    sent = {name.lower() for name in headers}
    assert sent <= first
    assert not sent & second


@pytest.mark.parametrize(
    ("path", "reason"),
    [
        ("endless", "size"),
        ("silent", "time"),
        ("drip", "time"),
        ("slow_head", "time"),
        ("packed", "encoding"),
    ],
)
def test_time_and_size_are_bounded(guard: Guard, base: str, path: str, reason: str) -> None:
    began = time.monotonic()
    with pytest.raises(FetchError) as caught:
        fetch(f"{base}/{path}", guard=guard, limits=Limits(seconds=1.0, size=100_000))
    assert caught.value.reason == reason
    assert time.monotonic() - began < 2.5


def test_a_slow_name_server_is_not_waited_for(server: Outside) -> None:
    def slow(host: str, port: int) -> Sequence[str]:
        server.hold.wait(30)
        return ["127.0.0.1"]

    began = time.monotonic()
    with pytest.raises(FetchError) as caught:
        fetch("http://out.example/", guard=Guard(resolve=slow), limits=QUICK)
    assert caught.value.reason == "time"
    assert time.monotonic() - began < 2.5


def test_nobody_there_is_said(server: Outside) -> None:
    guard = Guard(["127.0.0.0/8"])
    with pytest.raises(FetchError) as caught:
        fetch("http://127.0.0.1:9/", guard=guard, limits=QUICK)
    assert caught.value.reason == "network"


def test_the_next_address_of_a_name_is_tried(server: Outside) -> None:
    guard = Guard(["127.0.0.0/8", "::1"], resolve=lambda host, port: ["::1", "127.0.0.1"])
    assert fetch(f"http://out.example:{server.port}/", guard=guard).status == 200


@pytest.mark.req("MCP-5")
def test_no_proxy_of_the_environment_is_asked(
    guard: Guard, base: str, server: Outside, monkeypatch: pytest.MonkeyPatch
) -> None:
    with outside() as proxy:
        for name in ("HTTP_PROXY", "http_proxy", "ALL_PROXY", "all_proxy"):
            monkeypatch.setenv(name, f"http://127.0.0.1:{proxy.port}")
        assert fetch(f"{base}/", guard=guard).status == 200
        assert proxy.asked == []


def test_the_certificate_is_of_the_name(tmp_path: Path, names: Names) -> None:
    """The connection goes to an address, the proof is asked of the name."""
    trusted = ssl.create_default_context(cafile=str(_certificate(tmp_path, "out.example")))
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(tmp_path / "cert.pem", tmp_path / "key.pem")
    with outside(context) as server:
        guard = Guard([f"127.0.0.1:{server.port}"], resolve=names)
        url = f"https://out.example:{server.port}/"
        assert fetch(url, guard=guard, verify=trusted).status == 200
        for other in (f"https://in.example:{server.port}/", f"https://127.0.0.1:{server.port}/"):
            with pytest.raises(FetchError) as caught:
                fetch(other, guard=guard, verify=trusted)
            assert caught.value.reason == "network"
        with pytest.raises(FetchError):
            fetch(url, guard=guard)  # signed by nobody the system knows
        server.target = "http://out.example/"
        with pytest.raises(EgressRefusedError) as refused:
            fetch(f"{url}redirect/302", guard=guard, verify=trusted, limits=Limits(redirects=1))
        assert refused.value.reason == "redirect"


@pytest.mark.req("MCP-5")
async def test_the_asynchronous_transport_holds_the_same(server: Outside) -> None:
    names = Names("127.0.0.1", "169.254.169.254")
    guard = Guard([f"out.example:{server.port}"], resolve=names)
    url = f"http://out.example:{server.port}/"
    async with httpx2.AsyncClient(transport=GuardedAsyncTransport(guard)) as client:
        assert (await client.get(url)).text == "hello"
        assert names.asked == 1
        with pytest.raises(EgressRefusedError):
            await client.get(f"http://127.0.0.1:{server.port}/")
        with pytest.raises(EgressRefusedError):
            await client.get(f"http://u@out.example:{server.port}/")
        with pytest.raises(EgressRefusedError):  # the name has turned
            await client.get(url)
    steady = Guard([f"out.example:{server.port}"], resolve=Names("127.0.0.1"))
    async with httpx2.AsyncClient(transport=GuardedAsyncTransport(steady)) as client:
        server.target = f"http://127.0.0.1:{server.port}/inside"
        with pytest.raises(EgressRefusedError):
            await client.get(f"{url}redirect/302", follow_redirects=True)
    assert [one.path for one in server.asked] == ["/", "/redirect/302"]


def test_the_transport_serves_a_client_of_its_own(guard: Guard, base: str) -> None:
    with httpx2.Client(transport=GuardedTransport(guard), trust_env=False) as client:
        assert client.get(f"{base}/").text == "hello"
        with pytest.raises(EgressRefusedError):
            client.get("http://169.254.169.254/")


def _certificate(folder: Path, name: str) -> Path:
    key = ec.generate_private_key(ec.SECP256R1())
    subject = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, name)])
    now = datetime.datetime.now(datetime.UTC)
    usage: Any = x509.BasicConstraints(ca=True, path_length=None)
    certificate = (
        x509.CertificateBuilder()
        .subject_name(subject)
        .issuer_name(subject)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - datetime.timedelta(days=1))
        .not_valid_after(now + datetime.timedelta(days=1))
        .add_extension(x509.SubjectAlternativeName([x509.DNSName(name)]), critical=False)
        .add_extension(usage, critical=True)
        .sign(key, hashes.SHA256())
    )
    pem = serialization.Encoding.PEM
    plain = serialization.NoEncryption()
    private = key.private_bytes(pem, serialization.PrivateFormat.PKCS8, plain)
    (folder / "key.pem").write_bytes(private)
    (folder / "cert.pem").write_bytes(certificate.public_bytes(pem))
    return folder / "cert.pem"
