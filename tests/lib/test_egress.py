"""Which addresses may be asked: every way known to write a forbidden one is refused."""

import socket
from collections.abc import Sequence

import pytest

from apps.lib.egress import EgressRefusedError, Guard, Place

PUBLIC, PUBLIC6 = "93.184.216.34", "2606:2800:220:1:248:1893:25c8:1946"
METADATA = [
    "169.254.169.254",
    "169.254.170.2",
    "169.254.170.23",
    "100.100.100.200",
    "192.0.0.192",
    "168.63.129.16",
    "fd00:ec2::254",
    "fd00:ec2::23",
    "fd20:ce::254",
]
HIDDEN_METADATA = [
    "::ffff:169.254.169.254",
    "::ffff:a9fe:a9fe",
    "::169.254.169.254",
    "64:ff9b::169.254.169.254",
    "64:ff9b:1::169.254.169.254",
    "2002:a9fe:a9fe::1",
    "::ffff:0:169.254.169.254",
]
PRIVATE = [
    "127.0.0.1",
    "127.255.255.254",
    "0.0.0.0",  # noqa: S104, an address to refuse
    "10.0.0.1",
    "100.64.0.1",
    "172.16.0.1",
    "172.31.255.255",
    "192.168.1.1",
    "169.254.1.1",
    "192.0.0.1",
    "192.0.2.1",
    "198.18.0.1",
    "198.51.100.1",
    "203.0.113.1",
    "224.0.0.1",
    "240.0.0.1",
    "255.255.255.255",
    "::",
    "::1",
    "::ffff:127.0.0.1",
    "::ffff:10.0.0.1",
    "::127.0.0.1",
    "64:ff9b::10.0.0.1",
    "64:ff9b:1::1",
    "2002:7f00:1::",
    "2001:0:4136:e378:8000:63bf:80ff:fffe",
    "2001:db8::1",
    "fc00::1",
    "fd00::1",
    "fe80::1",
    "fec0::1",
    "ff02::1",
]


def answers(*addresses: str) -> Guard:
    """A guard to whom every name means these addresses."""
    return Guard(resolve=lambda host, port: addresses)


def refused(guard: Guard, url: str) -> str:
    """The reason for which it is refused."""
    with pytest.raises(EgressRefusedError) as caught:
        guard.check(url)
    return caught.value.reason


def literal(address: str) -> str:
    return f"http://[{address}]/" if ":" in address else f"http://{address}/"


@pytest.mark.req("MCP-5")
@pytest.mark.parametrize("address", [*PRIVATE, *METADATA, *HIDDEN_METADATA])
def test_a_forbidden_address_is_refused_written_and_resolved(address: str) -> None:
    assert refused(answers(PUBLIC), literal(address)) in ("address", "metadata")
    assert refused(answers(address), "https://nice.example/") in ("address", "metadata")
    assert refused(answers(PUBLIC, address), "https://nice.example/") in ("address", "metadata")


@pytest.mark.parametrize("address", [PUBLIC, PUBLIC6, "1.1.1.1", "64:ff9b::101:101"])
def test_a_public_address_is_taken(address: str) -> None:
    assert answers().check(literal(address)).host == address
    assert answers(address).addresses("nice.example", 443) == (address,)


@pytest.mark.req("MCP-5")
@pytest.mark.parametrize(
    "host",
    [
        "2130706433",
        "0x7f000001",
        "0X7F000001",
        "017700000001",
        "127.1",
        "127.0.1",
        "0177.0.0.1",
        "0x7f.0.0.1",
        "127.0.0.01",
        "0x7f.1",
        "2852039166",
        "0xa9fea9fe",
        "0251.0376.0251.0376",
        "\uff11\uff12\uff17.\uff10.\uff10.\uff11",
        "①②⑦.⓪.⓪.①",
        "127。0。0。1",
        "127.0.0.1.",
        "2130706433.",
        "0x7f000001.",
        "1.2.3.4.5",
        "256.256.256.256",
        "evil.0x10",
        "[::1%25lo]",
        "[::1%lo]",
        "[::ffff:0x7f.1]",
        "[v1.fe80]",
        "0",
        "%31%32%37.0.0.1",
        "127.0.0.1%2f.nice.example",
    ],
)
def test_no_other_way_of_writing_numbers_is_taken(host: str) -> None:
    assert refused(answers(PUBLIC), f"http://{host}/") in ("host", "address", "url")


@pytest.mark.req("MCP-5")
@pytest.mark.parametrize(
    ("url", "reason"),
    [
        ("ftp://nice.example/", "scheme"),
        ("file:///etc/passwd", "scheme"),
        ("gopher://nice.example:70/_x", "scheme"),
        ("javascript:alert(1)", "scheme"),
        ("dict://nice.example/", "scheme"),
        ("unix:///run/x.sock", "scheme"),
        ("//nice.example/", "scheme"),
        ("nice.example/", "scheme"),
        ("", "scheme"),
        ("http://user@nice.example/", "userinfo"),
        ("http://user:word@nice.example/", "userinfo"),
        ("http://@nice.example/", "userinfo"),
        ("http://nice.example@127.0.0.1/", "userinfo"),
        ("http://nice.example:80@127.0.0.1/", "userinfo"),
        ("http://nice.example\\@127.0.0.1/", "url"),
        ("http:\\\\127.0.0.1/", "url"),
        ("http://nice.example\t/", "url"),
        ("http://127.0.0.1\n.nice.example/", "url"),
        (" http://nice.example/", "url"),
        ("http://nice.example/\x00", "url"),
        ("http://nice.example/ x", "url"),
        ("http://nice.example/\u2028", "url"),
        ("http:///path", "host"),
        ("http://", "host"),
        ("http://:80/", "host"),
        ("http://nice..example/", "host"),
        ("http://.nice.example/", "host"),
        ("http://-nice.example/", "host"),
        ("http://ni ce.example/", "url"),
        ("http://nice.example,127.0.0.1/", "host"),
        ("http://nice.example#@127.0.0.1/", ""),
        ("http://[::1/", "url"),
        ("http://::1/", "host"),
        ("http://nice.example:0/", "port"),
        ("http://nice.example:65536/", "port"),
        ("http://nice.example:x/", "port"),
        ("http://nice.example:\uff18\uff10/", "port"),
        ("http://nice.example:+80/", "port"),
        ("http://" + "a" * 64 + ".example/", "host"),
        ("http://" + "a." * 130 + "example/", "host"),
        ("http://nice.example/" + "a" * 2100, "url"),
    ],
)
def test_no_trick_in_the_address_passes(url: str, reason: str) -> None:
    if reason:
        assert refused(answers(PUBLIC), url) == reason
    else:
        assert answers(PUBLIC).check(url).host == "nice.example"


@pytest.mark.parametrize(
    ("url", "place"),
    [
        ("http://Nice.Example/x?y=1", Place("http", "nice.example", 80)),
        ("HTTPS://nice.example.", Place("https", "nice.example", 443)),
        ("https://nice.example:8443/", Place("https", "nice.example", 8443)),
        ("https://münchen.example/", Place("https", "xn--mnchen-3ya.example", 443)),
        (f"http://[{PUBLIC6.upper()}]:81/", Place("http", PUBLIC6, 81)),
        ("http://my_host.example/", Place("http", "my_host.example", 80)),
    ],
)
def test_a_good_address_is_read(url: str, place: Place) -> None:
    assert answers(PUBLIC).check(url) == place


@pytest.mark.parametrize(
    ("entry", "host", "port", "address"),
    [
        ("mcp.lan", "mcp.lan", 80, "10.0.0.5"),
        ("MCP.lan", "mcp.lan", 9000, "10.0.0.5"),
        ("mcp.lan:9000", "mcp.lan", 9000, "10.0.0.5"),
        ("10.0.0.5", "10.0.0.5", 80, "10.0.0.5"),
        ("10.0.0.5", "mcp.lan", 80, "10.0.0.5"),
        ("10.0.0.5:9000", "mcp.lan", 9000, "10.0.0.5"),
        ("10.0.0.0/24", "mcp.lan", 9000, "10.0.0.5"),
        ("10.0.0.0/24", "mcp.lan", 9000, "::ffff:10.0.0.5"),
        ("fd00:5::/32", "mcp.lan", 9000, "fd00:5::1"),
        ("[fd00:5::1]:9000", "mcp.lan", 9000, "fd00:5::1"),
        ("fd00:5::1", "mcp.lan", 9000, "fd00:5::1"),
        ("127.0.0.1", "localhost", 80, "127.0.0.1"),
    ],
)
def test_the_operator_can_allow_a_place(entry: str, host: str, port: int, address: str) -> None:
    guard = Guard([entry], resolve=lambda name, number: (address,))
    assert guard.addresses(host, port) == (address,)


@pytest.mark.req("MCP-5")
@pytest.mark.parametrize(
    ("entry", "host", "port", "address"),
    [
        ("mcp.lan", "mcp.lan.evil.example", 80, "10.0.0.5"),
        ("mcp.lan", "xmcp.lan", 80, "10.0.0.5"),
        ("mcp.lan:9000", "mcp.lan", 9001, "10.0.0.5"),
        ("10.0.0.5:9000", "mcp.lan", 80, "10.0.0.5"),
        ("10.0.0.0/24", "mcp.lan", 80, "10.0.1.5"),
        ("10.0.0.0/24", "mcp.lan", 80, "127.0.0.1"),
    ],
)
def test_what_is_allowed_opens_nothing_else(entry: str, host: str, port: int, address: str) -> None:
    guard = Guard([entry], resolve=lambda name, number: (address,))
    with pytest.raises(EgressRefusedError) as caught:
        guard.addresses(host, port)
    assert caught.value.reason == "address"


@pytest.mark.req("MCP-5")
@pytest.mark.parametrize("address", [*METADATA, *HIDDEN_METADATA])
def test_no_allowance_opens_metadata(address: str) -> None:
    allow = ["meta.lan", "0.0.0.0/0", "::/0", *([address] if ":" not in address else [])]
    guard = Guard(allow, resolve=lambda name, number: (address,))
    assert refused(guard, "http://meta.lan/") == "metadata"
    assert refused(guard, literal(address)) == "metadata"


def test_a_name_nobody_knows_is_refused_as_such() -> None:
    def unknown(host: str, port: int) -> Sequence[str]:
        raise socket.gaierror(-2, "Name or service not known")

    assert refused(Guard(resolve=unknown), "http://nice.example/") == "unresolvable"
    assert refused(answers(), "http://nice.example/") == "unresolvable"
    assert refused(answers("no address"), "http://nice.example/") == "address"


def test_reading_alone_asks_no_name_server() -> None:
    def never(host: str, port: int) -> Sequence[str]:
        raise AssertionError(host)

    assert Guard(resolve=never).place("http://nice.example/").host == "nice.example"
    with pytest.raises(EgressRefusedError):
        Guard(resolve=never).place("http://10.0.0.1/")


def test_the_system_is_asked_when_nothing_else_is_given() -> None:
    assert Guard(["localhost"]).addresses("localhost", 80)
    assert refused(Guard(), "http://localhost/") == "address"


def test_the_guard_knows_no_framework() -> None:
    import subprocess  # noqa: PLC0415
    import sys  # noqa: PLC0415

    code = (
        "import sys; import apps.lib.egress, apps.lib.fetch; "
        "sys.exit(any(name.split('.')[0] == 'django' for name in sys.modules))"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
