"""Messages as programs write them, made from templates, and what in them must not leave.

In a template `⏎` is a new line, `⟦…⟧` a secret as it stands, `⟪…⟫` what must stay, and `«kind»`
a secret made up anew for each message.
"""

import base64
import random
import re
import string
import uuid
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from urllib.parse import quote

DATA = Path(__file__).parent.parent / "data"
SIGNS = string.ascii_letters + string.digits
_MARKED = re.compile(r"«(?P<kind>\w+)»|⟦(?P<secret>[^⟧]*)⟧|⟪(?P<keep>[^⟫]*)⟫")
Make = Callable[[random.Random], str]


@dataclass(frozen=True, kw_only=True)
class Message:
    """A text, what must not stand in it afterwards, and what must."""

    kind: str
    text: str
    secrets: tuple[str, ...]
    keeps: tuple[str, ...]


def lines(name: str) -> list[str]:
    """The lines of a file beside the tests, its marks for new lines undone."""
    text = (DATA / name).read_text(encoding="utf-8")
    return [line.replace("⏎", "\n") for line in text.splitlines()]


def messages(seed: int) -> Iterator[Message]:
    """One message of each template."""
    for number, line in enumerate(lines("leak_templates.txt")):
        kind, template = line.split("\t", 1)
        yield filled(kind, template, random.Random(f"{seed}-{number}"))


def filled(kind: str, template: str, chance: random.Random) -> Message:
    """The template with secrets of this draw."""
    text, place, secrets, keeps = "", 0, list[str](), list[str]()
    for found in _MARKED.finditer(template):
        piece = found["secret"] or found["keep"] or MAKERS[found["kind"]](chance)
        (keeps if found["keep"] else secrets).append(piece)
        text += template[place : found.start()] + piece
        place = found.end()
    text += template[place:]
    return Message(kind=kind, text=text, secrets=tuple(secrets), keeps=tuple(keeps))


def _signs(chance: random.Random, count: int, alphabet: str = SIGNS) -> str:
    """At least one digit and one letter, as keys of this length have."""
    drawn = chance.choices(alphabet, k=count)
    if alphabet == SIGNS:
        drawn[chance.randrange(count // 2)] = chance.choice(string.digits)
        drawn[-1 - chance.randrange(count // 2)] = chance.choice("abcdefXYZ")
    return "".join(drawn)


def _ip(chance: random.Random) -> str:
    return chance.choice(("203.0.113.{}", "198.51.100.{}", "47.{}.12.9", "121.40.7.{}")).format(
        chance.randint(2, 250)
    )


def _private_ip(chance: random.Random) -> str:
    net = chance.choice(
        (f"10.{chance.randint(1, 250)}", "192.168", f"172.{chance.randint(16, 31)}")
    )
    return f"{net}.{chance.randint(1, 250)}.{chance.randint(1, 250)}"


def _ip6(chance: random.Random) -> str:
    words = [f"{chance.randint(1, 65535):x}" for _ in range(7)]
    return chance.choice(
        ("2001:db8:{}::{}", "fd00:{}:{}::1", "2001:db8:{}:{}:{}:{}:{}:{}", "fe80::{}:{}:{}:{}")
    ).format(*words)


def _host(chance: random.Random) -> str:
    number = chance.randint(1, 40)
    return chance.choice(
        (
            f"pg-{number:02}.prod.internal",
            f"redis-{number}.redis-headless.crm.svc.cluster.local",
            f"db{number}.corp.example",
            f"mq-{number}.idc.lan",
            f"node-{number:02}.k8s.hz.internal",
            f"llm-gw-{number}.mesh.local",
            f"mysql57-bj-a{number}.idc.corp",
        )
    )


def _path(chance: random.Random) -> str:
    number = chance.randint(1, 999)
    return chance.choice(
        (
            f"/srv/agent/releases/{number}/apps/tools/invoke.py",
            f"/home/deploy/app{number}/run.sh",
            f"/var/lib/agent/{number}/dump.sql",
            f"/opt/venv{number}/lib/python3.11/site-packages/httpx/_client.py",
            f"/data/上传文件/{number}/名单.xlsx",
            f"/app/dist/server-{number}.js",
            f"/mnt/nas07/upload_{number}.tmp",
            f"/data1/agent/cache/{number}/SKILL.md",
        )
    )


def _windows_path(chance: random.Random) -> str:
    number = chance.randint(1, 999)
    return chance.choice(
        (
            rf"C:\Program Files\Agent Hub\{number}\hub.exe",
            rf"D:\agent\_work\{number}\s\src\Main.cs",
            rf"E:\deploy\app-{number}\appsettings.json",
        )
    )


def _password(chance: random.Random) -> str:
    signs = chance.choices(SIGNS, k=7) + chance.choices("!#$%^*-_+~.", k=2)
    chance.shuffle(signs)
    return chance.choice(string.ascii_letters) + "".join(signs) + chance.choice(string.digits)


def _plain_password(chance: random.Random) -> str:
    return chance.choice(("Tr0ub4dor{}", "Summer{}pw", "qwe{}RTY", "Xk{}mPq9z")).format(
        chance.randint(10, 9999)
    )


def _user(chance: random.Random) -> str:
    head = chance.choice(("svc", "app", "rw", "etl", "ro"))
    return f"{head}_{chance.choice(('billing', 'crm', 'hr'))}{chance.randint(1, 99)}"


def _database(chance: random.Random) -> str:
    head = chance.choice(("prod", "uat", "pre"))
    return f"{head}_{chance.choice(('school', 'crm', 'agent'))}_{chance.randint(1, 99)}"


def _table(chance: random.Random) -> str:
    head = chance.choice(("edu", "sys", "fin", "crm", "t", "stu"))
    body = chance.choice(("class_roster", "order_item", "salary_slip", "user_profile"))
    return f"{head}_{body}{chance.choice(('', '_v2', '_tmp', '_his'))}"


def _constraint(chance: random.Random) -> str:
    head = chance.choice(("uq", "fk", "ck", "idx"))
    return f"{head}_stu_phone_{chance.getrandbits(32):08x}"


def _email(chance: random.Random) -> str:
    name = chance.choice(("li.wei", "k_tanaka", "ops-oncall", "finance.bot", "a.b+c7"))
    return f"{name}{chance.randint(1, 99)}@{_mail_host(chance)}"


def _mail_host(chance: random.Random) -> str:
    return chance.choice(("example.com", "mail.example.cn", "corp.example", "example.org"))


def _base64(chance: random.Random, count: int) -> str:
    return base64.b64encode(chance.randbytes(count)).decode()[:count]


def _url_safe(chance: random.Random, count: int) -> str:
    return "A1" + _signs(chance, count - 3, SIGNS + "-_") + "z"


def _segment(chance: random.Random, size: int) -> str:
    return base64.urlsafe_b64encode(chance.randbytes(size)).decode().rstrip("=")


def _jwt(chance: random.Random) -> str:
    return f"eyJhbGciOiJIUzI1NiJ9.eyJzdWIi{_segment(chance, 24)}.{_segment(chance, 32)}"


def _basic(chance: random.Random) -> str:
    return base64.b64encode(f"{_user(chance)}:{_plain_password(chance)}".encode()).decode()


def _flask(chance: random.Random) -> str:
    return f".eJw{_segment(chance, 30)}.Z{_segment(chance, 4)[:5]}.{_segment(chance, 20)}"


def _java_class(chance: random.Random) -> str:
    name = chance.choice(("StudentService", "PayBillDao", "ToolInvoker", "GrayMatcher"))
    return f"com.example.{chance.choice(('hr', 'crm'))}.{name}{chance.randint(1, 9)}"


def _function(chance: random.Random) -> str:
    return chance.choice(("resolve_snapshot", "invoke_tool", "load_roster", "syncRoster")) + str(
        chance.randint(1, 99)
    )


def _card(chance: random.Random) -> str:
    return chance.choice(("4111111111111111", "5500005555555559", "6222020000000000004"))


def _citizen(chance: random.Random) -> str:
    born = f"{chance.randint(1960, 2019)}{chance.randint(1, 12):02}{chance.randint(1, 28):02}"
    return f"990{chance.randint(100, 999)}{born}{chance.randint(100, 999)}{chance.choice('0X7')}"


def _hex(chance: random.Random, count: int) -> str:
    return "".join(chance.choices("0123456789abcdef", k=count - 2)) + "7c"


MAKERS: dict[str, Make] = {
    "ip4": _ip,
    "ip4p": _private_ip,
    "ip6": _ip6,
    "host": _host,
    "mailhost": _mail_host,
    "email": _email,
    "emailu": lambda chance: quote(_email(chance)),
    "path": _path,
    "pathesc": lambda chance: _path(chance).replace("/", "\\/"),
    "pyrel": lambda chance: f"apps/tools/invoke_{chance.randint(1, 99)}.py",
    "phppath": lambda chance: f"/var/www/html/app{chance.randint(1, 99)}/index.php",
    "rbpath": lambda chance: f"/app/lib/sync_{chance.randint(1, 99)}.rb",
    "wpath": _windows_path,
    "wpathesc": lambda chance: _windows_path(chance).replace("\\", "\\\\"),
    "pw": _password,
    "pwj": _password,
    "pwn": _plain_password,
    "pwu": lambda chance: quote(_password(chance)),
    "user": _user,
    "db": _database,
    "tbl": _table,
    "col": lambda chance: chance.choice(("bank_acct", "salary_base", "openid_hash", "id_card_no")),
    "con": _constraint,
    "ora": lambda chance: f"EDU_APP{chance.randint(1, 9)}",
    "orac": lambda chance: chance.choice(("PKG_PAY_BILL", "UK_STU_PHONE", "T_ORDER_ITEM")),
    "func": _function,
    "jcls": _java_class,
    "jfile": lambda chance: f"StudentService{chance.randint(1, 9)}.java:{chance.randint(9, 999)}",
    "mac": lambda chance: ":".join(_hex(chance, 4)[:2] for _ in range(6)),
    "macd": lambda chance: "-".join(_hex(chance, 4)[:2].upper() for _ in range(6)),
    "pod": lambda chance: f"agent-web-7d9f8b6c5d-{_signs(chance, 5, string.ascii_lowercase)}",
    "uuid": lambda chance: str(uuid.UUID(int=chance.getrandbits(128), version=4)),
    "jwt": _jwt,
    "basic": _basic,
    "flask": _flask,
    "cookie": lambda chance: _signs(chance, 30, string.ascii_lowercase + string.digits) + "a7",
    "djkey": lambda chance: _password(chance) + _password(chance) + _password(chance),
    "akia": lambda chance: "AKIA" + _signs(chance, 16, string.ascii_uppercase + string.digits),
    "aiza": lambda chance: "AIza" + _url_safe(chance, 35),
    "azsec": lambda chance: f"{_signs(chance, 3)}8Q~{_signs(chance, 34)}",
    "lta": lambda chance: "LTAI5t" + _signs(chance, 18),
    "an11x": lambda chance: _signs(chance, 11),
    "sig": lambda chance: quote(_base64(chance, 27) + "=", safe=""),
    "b64": lambda chance: _base64(chance, 64),
    "b64_40": lambda chance: _base64(chance, 40),
    "b64s_40": lambda chance: _url_safe(chance, 40),
    "b64_44": lambda chance: _base64(chance, 43) + "=",
    "b64_88": lambda chance: _base64(chance, 86) + "==",
    "mobile": lambda chance: f"1{chance.choice('3578')}{chance.randint(0, 10**9 - 1):09}",
    "cnid": _citizen,
    "card": _card,
    "cards": lambda chance: "4111 1111 1111 1111",
    **{f"hex{count}": partial(_hex, count=count) for count in (24, 32, 34, 40, 64)},
    **{f"tok{n}": partial(_url_safe, count=n) for n in (20, 27, 32, 33, 40, 43, 68)},
    **{
        f"an{count}": partial(_signs, count=count)
        for count in (16, 20, 21, 22, 24, 26, 30, 32, 34, 36, 40, 43, 48, 86, 90)
    },
    **{f"dig{n}": partial(_signs, count=n, alphabet="123456789") for n in (10, 12)},
    **{
        f"up{n}": partial(_signs, count=n, alphabet=string.ascii_uppercase + string.digits)
        for n in (11, 58)
    },
    "hexup32": partial(_signs, count=32, alphabet="0123456789ABCDEF"),
}
