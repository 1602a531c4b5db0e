"""Stack traces, source places, and paths of files."""

from apps.audit.redaction.rule import Rule, rule

_EXT = (
    r"(?:pyc?|pyx|java|kt|scala|groovy|jsx?|mjs|cjs|tsx?|go|rb|cs|vb|php|rs|cpp|cc|hpp|swift|lua|pl"
    r"|exs?|clj|sh|ps1)"
)
_ROOT = (
    r"(?:usr|opt|var|etc|home|root|srv|data\d*|tmp|apps?|mnt|media|proc|dev|run|s?bin|lib\d*|www|build"
    r"|workspaces?|Users|Library|private|Applications|snap|nix|code|src|projects?|volumes?|storage|export"
    r"|nfs|disk\d*|logs?|conf|config|secrets|vault|boot|sys|backup|deploy|release|releases|web|wwwroot)"
)
_SEGMENT = r"[^\s\"'`<>|*?:;,，。；：！？、（）()\[\]{}\\=]"

CODE: tuple[Rule, ...] = (
    rule(
        "python trace",
        r"(?:\+?[ \t]*Exception Group )?Traceback \(most recent call last\)[\s\S]*",
        "traceback (",
    ),
    rule("python frame", r"File \\*\"[^\"\n]{1,300}\", line \d+(?:, in [^\s,;]+)?", "file "),
    rule("place in source", r"(?:, )?\bline \d+,? in (?P<x>[\w.<>]+)", " in "),
    rule(
        "frame",
        r"(?m)^[ \t|]*at (?=[^\r\n]*[.(:])[^\r\n]{3,300}",
        "at ",
        unless="",
    ),
    rule("java frame", r"\bat [\w.$<>/]{1,200}\([^()\r\n]{1,100}\)", "at "),
    rule("caused by", r"(?m)^[ \t]*Caused by: [^\r\n]{1,400}", "caused by"),
    rule("class path", r"(?<![\w.@/-])(?:[a-z_]\w{0,40}\.){2,8}[A-Z]\w{1,80}(?:\.\w{1,80})?", "."),
    rule("class scope", r"(?<![\w:])[A-Z]\w{1,60}(?:::[A-Z]\w{1,60})+(?:#\w+)?", "::"),
    rule("source and line", rf"(?i)(?<![\w/.-])[\w$.-]{{1,80}}\.{_EXT}:\d+(?::\d+)?", "."),
    rule("node internals", r"\bnode:[\w/]{1,60}:\d+(?::\d+)?", "node:"),
    rule("goroutine", r"goroutine \d+ \[[^\]\n]{1,60}\]:?", "goroutine"),
    rule("signal", r"\[signal [^\]\n]{1,200}\]", "[signal"),
    rule(
        "go call",
        r"(?<![\w.])[\w./]{1,80}\.\(?\*?\w{1,60}\)?(?:\.\w+)?\(0x[0-9a-f][^)\n]{0,200}\)",
        "(0x",
    ),
    rule("address in memory", r"(?<!\w)0x[0-9a-fA-F]{5,}(?!\w)", "0x"),
    rule("offset", r"\+0x[0-9a-f]{1,8}\b", "+0x"),
    rule("ruby frame", r":in [`'][^'\n]{1,100}'", ":in "),
    rule("php frame", r"(?m)^#\d+ [^\r\n]{3,300}", "#"),
    rule("rust panic", r"panicked at [^\r\n]{3,200}", "panicked at"),
    rule("object", r"<[\w.]{1,120} (?:object )?at (?:0x)?[0-9a-f]{4,}>", " at "),
    rule("connection id", r"(?i)ClientConnectionId:[0-9a-f-]{36}", "clientconnectionid"),
    rule(
        "file URL",
        r"(?i)\b(?:file|unix|smb|nfs|s3a?|gs|oss|cos|obs|hdfs|abfss?|minio)://[^\s\"'<>]+",
        "://",
    ),
    rule("unix socket", r"\bunix:/[^\s\"'<>,;]+", "unix:/"),
    rule("known root", rf"(?<![A-Za-z0-9/.~_-])/{_ROOT}(?![\w-])(?:/{_SEGMENT}*)*", "/"),
    rule(
        "path",
        r"(?<![\w/:.~<-])/(?:[A-Za-z0-9_.@~+%-]{1,100}/){1,30}[A-Za-z0-9_.@~+%-]+"
        r"(?:\?[^\s\"'<>)]*)?",
        "/",
    ),
    rule(
        "file at the root",
        rf"(?<![\w/:.~<-])/[\w.-]{{1,80}}\.(?:{_EXT}|conf|ya?ml|ini|env|log|sql|db|pem|key|crt|so|jar|zip)\b",
        "/",
    ),
    rule(
        "source path",
        rf"(?<![\w/.@-])(?:\.{{0,2}}/)?(?:[\w.-]{{1,80}}/){{1,20}}[\w.-]{{1,80}}\.{_EXT}\b(?::\d+)?",
        "/",
    ),
    rule("home", r"(?<![\w/])~[\w-]{0,32}/[^\s\"'<>,;)]+", "~"),
    rule(
        "hidden folder",
        r"(?<![\w.])(?:[\w~/-]{0,80}/)?\.(?:ssh|aws|kube|git|docker|env|npmrc|pypirc|netrc|pgpass|config|gnupg|azure)(?![\w-])[\w./-]*",
        ".",
    ),
    rule(
        "windows path",
        r"(?i)(?<![a-z0-9])[a-z]:(?:\\{1,2}|/(?!/))(?:[^\\/:*?\"'<>|\r\n]{1,100}[\\/]{1,2}){0,30}[^\s\\/:*?\"'<>|，。；！？、（）]*",
        ":\\",
        ":/",
    ),
    rule(
        "share",
        r"(?<![\\\w])\\{2,4}[A-Za-z0-9][\w.-]{1,63}(?:\\{1,2}[^\s\\\"'<>|，。；]{1,100}){0,30}",
        "\\\\",
    ),
    rule(
        "environment variable",
        r"(?<!\w)(?:%[A-Z][A-Z0-9_]{2,40}%\\[^\s\"']*|\$\{?[A-Z][A-Z0-9_]{3,40}\}?/[^\s\"']*)",
        "%",
        "$",
    ),
    rule(
        "key error",
        r"\b(?:KeyError|AttributeError|NameError|ImportError|ModuleNotFoundError)\b[^\r\n]{0,4}[\"'](?P<x>[^\"'\r\n]{1,120})",
        "error",
    ),
)
