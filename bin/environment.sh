# Sourced by the commands beside it: makes .venv/ from a hashed lock, once per change of the lock.
# `prepare LIST` installs requirements/LIST.txt; PYTHON names the interpreter to prefer.

say() { printf '%s\n' "$*" >&2; }

# Candidates are run, not looked up: a shim may stand for a version that is not there.
find_python() {
  for candidate in ${PYTHON:-} python3 python3.13 python3.12 python3.11 python3.14 python \
    /usr/bin/python3 /usr/local/bin/python3; do
    if "$candidate" -c 'import sys, venv, ensurepip; sys.exit(sys.version_info < (3, 11))' \
      >/dev/null 2>&1; then
      printf '%s' "$candidate"
      return 0
    fi
  done
  say "No Python 3.11 or newer with its venv module was found."
  say "Install one (Debian: apt install python3 python3-venv), or set PYTHON to its path."
  return 1
}

make_venv() {
  if ! .venv/bin/python -c 'import sys; sys.exit(sys.version_info < (3, 11))' >/dev/null 2>&1; then
    python=$(find_python) || return 1
    say "Making .venv with $("$python" --version)"
    rm -rf .venv
    "$python" -m venv .venv || return 1
  fi
}

# uv installs several times faster than pip; where it cannot be had, pip does.
install() {
  if ! .venv/bin/uv --version >/dev/null 2>&1; then
    .venv/bin/python -m pip install --quiet --disable-pip-version-check --no-deps \
      --require-hashes -r requirements/uv.txt >/dev/null 2>&1 || say "uv cannot be had; pip takes longer"
  fi
  if .venv/bin/uv --version >/dev/null 2>&1 &&
    .venv/bin/uv pip install --quiet --python .venv/bin/python --link-mode copy \
      --require-hashes -r "$1"; then
    return 0
  fi
  .venv/bin/python -m pip install --quiet --disable-pip-version-check --require-hashes -r "$1"
}

prepare() {
  make_venv || return 1
  stamp=".venv/installed-$1"
  wanted=$(cksum <"requirements/$1.txt")
  if [ "$(cat "$stamp" 2>/dev/null)" != "$wanted" ]; then
    say "Installing requirements/$1.txt"
    install "requirements/$1.txt" || return 1
    printf '%s' "$wanted" >"$stamp"
  fi
}
