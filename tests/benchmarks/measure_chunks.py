"""CPU of the client process per streamed chunk: this adapter against the client's typed stream.

    python -m tests.benchmarks.measure_chunks [ROUNDS]

prints a line for each way of reading and pace of sending. Run by hand, on an idle machine.
"""

import asyncio
import socket
import statistics
import subprocess
import sys
import time
from collections.abc import AsyncGenerator, Callable
from typing import Any

import httpx2
import openai

from apps.runtime.chat_stream import ChatStream
from apps.runtime.messages import ModelRequest, UserMessage
from tests.runtime.wire import DONE, WireServer, Write, chunk, free_port, numbered, openai_model

CHUNKS = 2000
PIECE = chunk({"content": "w123456789012 "}, usage=None, system_fingerprint=None)


async def serve(port: int) -> None:
    """Serve bursts of 20 chunks a write, or one chunk each millisecond, by turns."""

    async def burst(write: Write) -> None:
        await answer(write, 20, 0.0)

    async def paced(write: Write) -> None:
        await answer(write, 1, 0.001)

    scripts = [burst if sys.argv[3] == "burst" else paced] * 100
    server = WireServer(*scripts)
    async with await asyncio.start_server(server.serve, "127.0.0.1", port) as listener:
        await listener.serve_forever()


async def answer(write: Write, per_write: int, pause: float) -> None:
    await write(b"HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\n")
    await write(b"transfer-encoding: chunked\r\n\r\n")
    part = PIECE * per_write
    for _ in range(CHUNKS // per_write):
        await write(b"%x\r\n%s\r\n" % (len(part), part))
        await asyncio.sleep(pause)
    end = chunk({}, "stop") + DONE
    await write(b"%x\r\n%s\r\n0\r\n\r\n" % (len(end), end))


async def ours(url: str) -> list[float]:
    request = ModelRequest(model="m", messages=(UserMessage(content="hi"),))
    async with openai_model(url) as model:
        return await cost(lambda: model.stream(request))


async def typed(url: str, client: httpx2.AsyncClient | None = None) -> list[float]:
    async with openai.AsyncOpenAI(api_key="k", base_url=url, http_client=client) as sdk:

        async def stream() -> AsyncGenerator[object, None]:
            asked: Any = [{"role": "user", "content": "hi"}]
            answer = await sdk.chat.completions.create(model="m", messages=asked, stream=True)
            async for item in answer:
                yield item

        return await cost(stream)


async def typed_aiohttp(url: str) -> list[float]:
    return await typed(url, openai.DefaultAioHttpClient())


async def cost(stream: Callable[[], AsyncGenerator[object, None]]) -> list[float]:
    """Microseconds of CPU per chunk, one figure a round, the first thrown away."""
    figures = []
    for _ in range(int(sys.argv[1]) + 1 if sys.argv[1:] else 8):
        started = time.process_time()
        async for _ in stream():
            pass
        figures.append((time.process_time() - started) * 1e6 / CHUNKS)
    return figures[1:]


def bytes_only(per_read: int) -> float:
    read = PIECE * per_read
    stream = ChatStream(new_id=numbered())
    started = time.process_time()
    for _ in range(20_000 // per_read):
        stream.feed(read)
    return (time.process_time() - started) * 1e6 / 20_000


def wait_for(port: int) -> None:
    for _ in range(200):
        with socket.socket() as probe:
            if probe.connect_ex(("127.0.0.1", port)) == 0:
                return
        time.sleep(0.1)


def main() -> None:
    for pace in ("burst", "paced"):
        port = free_port()
        server = subprocess.Popen(
            [sys.executable, "-m", "tests.benchmarks.measure_chunks", "serve", str(port), pace]
        )
        try:
            wait_for(port)
            for read in (ours, typed, typed_aiohttp):
                figures = asyncio.run(read(f"http://127.0.0.1:{port}/v1"))
                middle = statistics.median(figures)
                spread = f"{min(figures):.1f}-{max(figures):.1f}"
                print(f"{pace:6} {read.__name__:14} {middle:6.1f} us/chunk ({spread})")  # noqa: T201
        finally:
            server.terminate()
            server.wait()
    print(f"bytes to deltas alone: {bytes_only(1):.2f} (1 a read), {bytes_only(20):.2f} (20)")  # noqa: T201


if __name__ == "__main__":
    if sys.argv[1:2] == ["serve"]:
        asyncio.run(serve(int(sys.argv[2])))
    else:
        main()
