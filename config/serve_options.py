"""What `bin/start` and `manage.py serve` can be told; read alike, and before anything is done."""

from argparse import ArgumentParser, ArgumentTypeError

HIGHEST_PORT = 65535


def add_options(parser: ArgumentParser) -> None:
    parser.add_argument("--host", default="127.0.0.1", help="address to listen on")
    parser.add_argument(
        "--port", type=port, default=8000, help=f"1 to {HIGHEST_PORT}; 0 takes any free port"
    )
    parser.add_argument("--no-worker", action="store_true", help="leave tasks to a worker")
    parser.add_argument("--no-host", action="store_true", help="leave runs to run_host")


def port(text: str) -> int:
    if text.isascii() and text.isdigit() and len(text) < 6 and int(text) <= HIGHEST_PORT:
        return int(text)
    raise ArgumentTypeError(f"{text!r} is not a port; write a number from 0 to {HIGHEST_PORT}")
