from collections.abc import Iterator

class error(Exception): ...

class Options:
    log_errors: bool
    max_mem: int

class _Match:
    def span(self, group: int = 0) -> tuple[int, int]: ...

class _Regexp:
    pattern: str
    def search(self, text: str) -> _Match | None: ...
    def finditer(self, text: str) -> Iterator[_Match]: ...

def compile(pattern: str, options: Options | None = None) -> _Regexp: ...
