"""Keeps `locale/` whole without gettext's programs: `python -m tests.translations [--write]`.

Our msgids are zh-hans; `en` translates them all. Without an argument it checks: every text of code
and templates is in the .po and translated, nothing else is, and the .mo files hold the same. With
`--write` it brings the .po up to date, says what is untranslated, and compiles.
"""

import ast
import re
import struct
import sys
from collections import defaultdict
from collections.abc import Iterator, Mapping
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PO = ROOT / "locale" / "en" / "LC_MESSAGES" / "django.po"
SOURCE_MO = ROOT / "locale" / "zh_Hans" / "LC_MESSAGES" / "django.mo"
CALLS = {"_", "gettext", "gettext_lazy", "gettext_noop"}
HEADER = "Content-Type: text/plain; charset=UTF-8\nContent-Transfer-Encoding: 8bit\nLanguage: {}\n"
_TRANSLATE = re.compile(r"""{%-?\s*(?:translate|trans)\s+(?:"([^"]+)"|'([^']+)')""")
_BLOCK = re.compile(
    r"{%\s*blocktrans(?:late)?\b(?P<head>[^%]*)%}(?P<body>.*?){%\s*endblocktrans(?:late)?\s*%}",
    re.DOTALL,
)
_VARIABLE = re.compile(r"{{\s*(\w+)\s*}}")

Places = Mapping[str, set[str]]


def wanted() -> Places:
    """Each msgid with the files it stands in."""
    found: dict[str, set[str]] = defaultdict(set)
    for path in _sources():
        read = _of_python if path.suffix == ".py" else _of_template
        for msgid in read(path.read_text("utf-8")):
            found[msgid].add(str(path.relative_to(ROOT)))
    return found


def _sources() -> Iterator[Path]:
    for folder, pattern in (("apps", "*.py"), ("config", "*.py"), ("templates", "*.html")):
        for path in sorted((ROOT / folder).rglob(pattern)):
            if "migrations" not in path.parts:
                yield path
    yield from sorted((ROOT / "apps").rglob("templates/**/*.html"))


def _of_python(text: str) -> Iterator[str]:
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Call) and node.args:
            name = getattr(node.func, "id", getattr(node.func, "attr", ""))
            first = node.args[0]
            if name in CALLS and isinstance(first, ast.Constant) and isinstance(first.value, str):
                yield first.value


def _of_template(text: str) -> Iterator[str]:
    for found in _TRANSLATE.finditer(text):
        yield found[1] or found[2]
    for found in _BLOCK.finditer(text):
        body = _VARIABLE.sub(r"%(\1)s", found["body"])
        trimmed = "trimmed" in found["head"]
        yield " ".join(line.strip() for line in body.strip().split("\n")) if trimmed else body


def read_po(path: Path) -> dict[str, str]:
    """msgid to msgstr; the header's empty msgid is left out."""
    if not path.exists():
        return {}
    entries: dict[str, str] = {}
    msgid, target = "", ""
    for line in path.read_text("utf-8").splitlines():
        if line.startswith("msgid "):
            msgid, target = _unquoted(line[6:]), "msgid"
        elif line.startswith("msgstr "):
            entries[msgid], target = _unquoted(line[7:]), "msgstr"
        elif line.startswith('"') and target == "msgid":
            msgid += _unquoted(line)
        elif line.startswith('"'):
            entries[msgid] += _unquoted(line)
    return {key: value for key, value in entries.items() if key}


def write_po(path: Path, entries: Mapping[str, str], places: Places) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    lines = ['msgid ""', 'msgstr ""', *(f'"{line}\\n"' for line in HEADER.format("en").split("\n"))]
    lines = lines[:-1]
    for msgid in sorted(entries):
        lines += ["", *(f"#: {place}" for place in sorted(places[msgid]))]
        if re.search(r"%\(\w+\)[sd]", msgid):
            lines.append("#, python-format")
        lines += [f"msgid {_quoted(msgid)}", f"msgstr {_quoted(entries[msgid])}"]
    path.write_text("\n".join(lines) + "\n", "utf-8")


def compiled(entries: Mapping[str, str], language: str) -> bytes:
    """The .mo of these entries, byte for byte the same each time (GNU's format, no hash table)."""
    pairs = sorted({"": HEADER.format(language), **{k: v for k, v in entries.items() if v}}.items())
    keys, values = [k.encode() for k, _ in pairs], [v.encode() for _, v in pairs]
    start = 7 * 4 + 16 * len(pairs)
    offsets: list[int] = []
    for texts in (keys, values):
        for text in texts:
            offsets += [len(text), start]
            start += len(text) + 1
    head = struct.pack(
        "<7I", 0x950412DE, 0, len(pairs), 28, 28 + 8 * len(pairs), 0, 28 + 16 * len(pairs)
    )
    return head + struct.pack(f"<{len(offsets)}I", *offsets) + b"\0".join([*keys, *values]) + b"\0"


def faults() -> list[str]:
    """What is not as it should be; empty when all is."""
    places, entries = wanted(), read_po(PO)
    found = [f"not in the .po: {msgid!r}" for msgid in places if msgid not in entries]
    found += [f"no longer used: {msgid!r}" for msgid in entries if msgid not in places]
    found += [f"untranslated: {msgid!r}" for msgid, text in entries.items() if not text]
    found += [
        f"other variables: {msgid!r}" for msgid in entries if not _same_variables(entries, msgid)
    ]
    if "#, fuzzy" in PO.read_text("utf-8"):
        found.append("an entry is fuzzy")
    for path, expected in _compiled_files(entries).items():
        if not path.exists() or path.read_bytes() != expected:
            found.append(f"{path.relative_to(ROOT)} is not what the .po says")
    return found


def _same_variables(entries: Mapping[str, str], msgid: str) -> bool:
    pattern = r"%\(\w+\)[sd]|%[sd]|\{\w*\}"
    text = entries[msgid]
    return not text or sorted(re.findall(pattern, msgid)) == sorted(re.findall(pattern, text))


def _compiled_files(entries: Mapping[str, str]) -> dict[Path, bytes]:
    # The source language has a catalogue too, each text as itself: without one, Django would fall
    # back to LANGUAGE_CODE, and people who chose Chinese would read English where that is "en".
    own = {msgid: msgid for msgid in entries}
    return {PO.with_suffix(".mo"): compiled(entries, "en"), SOURCE_MO: compiled(own, "zh_Hans")}


def write() -> None:
    places, known = wanted(), read_po(PO)
    entries = {msgid: known.get(msgid, "") for msgid in places}
    write_po(PO, entries, places)
    for path, content in _compiled_files(entries).items():
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)


def _quoted(text: str) -> str:
    escaped = (
        text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n").replace("\t", "\\t")
    )
    return f'"{escaped}"'


def _unquoted(text: str) -> str:
    value = ast.literal_eval(text.strip())
    return str(value)


def main(arguments: list[str]) -> int:
    if "--write" in arguments:
        write()
    found = faults()
    sys.stdout.writelines(f"{fault}\n" for fault in found)
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
