"""Paths of files, on every system, and addresses of stores."""

import re

from apps.audit.redaction.frames import EXTENSIONS
from apps.audit.redaction.rule import LETTERS, WORD, Rule, rule

_ROOT = (
    r"(?:usr|opt|var|etc|home|root|srv|data\d*|tmp|apps?|mnt|media|proc|dev|run|s?bin|lib\d*|www|build"
    r"|workspaces?|Users|Library|private|Applications|System|Volumes|snap|nix|code|src|projects?|volumes?|storage|export"
    r"|nfs|nas\w*|disk\d*|logs?|conf|config|secrets|vault|boot|sys|backups?|deploy|release|releases|web|wwwroot|site|html|htdocs|docker|jenkins"
    r"|github|runner|builds|go|usr\d*|u0\d|oracle|hdd\d*|ssd\d*|mount|efs|cache|uploads?|static|opt\d*|kaniko|kubelet|cgroup|layers|entrypoint\.sh)"
)
_SEGMENT = r"[^\s\"'`<>|*?:;,，。；：！？、（）()\[\]{}\\=「」“”]"
_FILE = (
    r"(?: [^\s\"'`<>|/\\:;,，。（）()]{1,60}"
    r"(?=\.[A-Za-z0-9]{2,5}(?![A-Za-z0-9]))\.[A-Za-z0-9]{2,5})?"
)
_NOT_BEFORE = r"(?<![A-Za-z0-9/.~_<-])"
_PARTS = r"(?:/[A-Za-z0-9_.@~+%=$-]{1,120})"
_KNOWN_FILES = (
    rf"(?:{EXTENSIONS}|conf|cfg|ya?ml|toml|ini|env|log|db|sqlite3?|pem|key|crt|cer|p12|pfx|jks|so|jar"
    r"|zip|tar|gz|bak|dump|sock|pid|lock|json|xml|properties|service|socket)"
)


def _has_folder(_: re.Match[str], value: str) -> bool:
    return any(sign.isalpha() for sign in value)


def _is_file(_: re.Match[str], value: str) -> bool:
    """With an ending or three parts, and no date."""
    return bool(re.search(r"\.\w{1,5}$|/.*/", value)) and not value[0].isdigit()


PATHS: tuple[Rule, ...] = (
    rule(
        "address of a store",
        "(?:file|unix|smb|cifs|nfs|afp|s3[an]?|gs|oss|cos|cosn|obs|tos|bos|hdfs|webhdfs"
        "|abfss?|wasbs?|adl|minio|dbfs|jar|zip|vscode-remote|docker|"
        r"k8s|ceph|glusterfs|swift|alluxio|viewfs|dbfs|git\+ssh|git\+file"
        r"|chrome-extension|blob):(?://|/)[^\s\"'<>，。；）)]+",
        needs=(
            "file:|unix:|smb:|cifs:|nfs:|afp:|s3:|s3a:|s3n:|gs:|oss:|cos:|cosn:|obs:|tos:"
            "|bos:|hdfs:|webhdfs:|abfs:|abfss:|wasb:|wasbs:|adl:|minio:|dbfs:|jar:|zip:"
            "|vscode-remote:|docker:|k8s:|ceph:|glusterfs:|swift:|alluxio:|viewfs:|git+"
            "|chrome-extension:|blob:"
        ),
        fold=True,
    ),
    rule(
        "quoted path",
        r"(?<=[\"'`“「])/(?:[^\"'`“”「」/\r\n:<>|*?\\]{1,120}/){1,30}[^\"'`“”「」/\r\n:<>"
        r"|*?\\]{0,120}(?=[\"'`”」])",
        needs="/",
    ),
    rule(
        "quoted file",
        "(?:file|open|directory|path|folder|load|read|write|stat"
        r"|template)\s{0,2}[:=(]?\s?[\"'`]"
        r"(?P<x>[\w.@~+ -]{1,80}/[^\"'`\r\n]{1,300})[\"'`]",
        needs="file|open|directory|path|folder|load|read|write|stat|template",
        fold=True,
        accepts=_is_file,
    ),
    rule(
        "known root",
        rf"{_NOT_BEFORE}/{_ROOT}(?![\w-])(?:/{_SEGMENT}{{0,120}}){{0,30}}{_FILE}",
        needs="/",
    ),
    rule(
        "path",
        rf"{_NOT_BEFORE}(?<!:/){_PARTS}{{2,30}}/?(?:\?[^\s\"'<>)，。；]{{0,400}})?",
        needs="/",
        accepts=_has_folder,
    ),
    rule(
        "file at the root",
        rf"{_NOT_BEFORE}/[\w.-]{{1,80}}\.{_KNOWN_FILES}\b",
        needs="/",
    ),
    rule(
        "path with a question",
        r"(?<![\w/.])/[\w.~-]{1,80}\?(?P<x>[^\s\"'<>)，。；]{3,400})",
        needs="/",
    ),
    rule(
        "escaped path",
        r"(?<![\w/])(?:\\{1,2}/[\w.@~+-]{1,100}){2,30}",
        needs=r"\/",
    ),
    rule(
        "encoded path",
        r"(?:%2f[\w.@~+-]{1,100}){2,30}|[a-z]%3a(?:%5c|%2f)[^\s\"'<>&]+",
        needs="%2f|a%3a|c%3a|d%3a|e%3a",
        fold=True,
    ),
    rule(
        "source path",
        rf"(?<![\w/.@-])(?:\.{{0,2}}/)?(?:[\w.@-]{{1,80}}/){{1,20}}"
        rf"[\w.-]{{1,80}}\.{EXTENSIONS}\b(?:[:(]\d+(?::\d+|\))?)?",
        needs="/",
        left=WORD + "./@-",
    ),
    rule(
        "relative path",
        r"(?<![\w.])\.{1,2}(?:[/\\]{1,2}[\w.@+~-]{1,100}){1,30}",
        needs="./|../|.\\",
    ),
    rule(
        "home",
        r"(?<![\w/])~[\w-]{0,32}/[\w.][^\s\"'<>,;)，。；）]+",
        needs="~",
    ),
    rule(
        "hidden folder",
        r"\.(?:ssh|aws|kube|git|docker|gnupg|azure|config|local|cache|venv|npm|m2|gradle"
        r"|terraform|vscode|idea)/[\w./-]*",
        needs=(
            ".ssh/|.aws/|.kube/|.git/|.docker/|.gnupg/|.azure/|.config/|.local/|.cache/"
            "|.venv/|.npm/|.m2/|.gradle/|.terraform/"
        ),
    ),
    rule(
        "key file",
        r"(?<!\w)id_(?:rsa|dsa|ecdsa|ed25519)\w*(?:\.pub)?",
        needs="id_",
    ),
    rule(
        "variable path",
        r"(?<!\w)\$(?:\{[A-Z][A-Z0-9_]{2,40}\}|[A-Z][A-Z0-9_]{2,40}"
        r"|env:\w{2,40})[/\\][^\s\"'<>，。；）)]*",
        needs="$",
    ),
    rule(
        "windows variable",
        r"%[A-Z][A-Z0-9_()]{2,40}%\\[^\s\"'<>，。；]*",
        needs="%",
    ),
    rule(
        "windows path",
        r"(?<![A-Za-z0-9])[A-Za-z]:(?:\\{1,4}|/(?!/))(?:[^\\/:*?\"'<>"
        r"|\r\n，。；]{1,120}[\\/]{1,4}){0,30}[^\s\\/:*?\"'<>|，。；！？、（）)]+"
        r"(?: [^\s\\/:*?\"'<>|，。；]{1,60}\.[A-Za-z0-9]{2,5}\b)?",
        needs=r":\|:/",
        left=LETTERS,
    ),
    rule(
        "share",
        r"(?<![\\\w:])\\{2,4}(?:\?\\{1,2}"
        r"|\.\\{1,2})?[\w\u4e00-\u9fff][\w\u4e00-\u9fff.$:-]{1,80}(?:\\{1,2}[^\\\"'<>"
        r"|，。；\r\n/:*?]{1,100}(?=\\))*(?:\\{1,2}[^\s\\\"'<>|，。；]{1,100}){0,30}",
        needs="\\\\",
    ),
    rule(
        "registry",
        r"(?:HKEY_[A-Z_]{4,40}|HK(?:LM|CU|CR|U))\\[^\s\"'<>，。；]+",
        needs="hkey_|hklm\\|hkcu\\|hkcr\\",
    ),
    rule(
        "class file",
        r"(?<![\w/])[\w-]{1,60}(?:/[\w-]{1,60}){2,20}\.class\b",
        needs=".class",
        left=WORD + "-/",
    ),
    rule(
        "device",
        r"(?<!\w)/dev/\w+",
        needs="/dev/",
    ),
)
