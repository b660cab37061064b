"""Many people at one studio: how long they wait, and what its memory does.

    make bench-studio                                the table
    python benchmarks/bench_studio.py --clients 50 --seconds 20
    python benchmarks/bench_studio.py --requests 10000    memory, over so many requests

A client moves a slider: it changes the width of a statue and asks for the run again as soon as the
answer is there and a frame has passed. Clients, server and its processes share the machine's cores.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import random
import re
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import httpx

FRAME = 1 / 60  # s between an answer and the next question
PAUSE = 0.1  # s; a slider under a finger that looks at what it does
WITHIN = 0.250  # s


def started(folder: str) -> tuple[subprocess.Popen[str], str]:
    command = [sys.executable, "-m", "rocksteady", "studio", "--port", "0", "--no-browser"]
    process = subprocess.Popen([*command, "--folder", folder], stdout=subprocess.PIPE, text=True)
    assert process.stdout
    for line in process.stdout:
        if found := re.search(r"http://\S+", line):
            return process, found[0].rstrip("/")
    raise SystemExit("The studio did not start.")


def case(width: float) -> dict[str, Any]:
    """A statue under a pulse, as the page asks."""
    return {
        "body": {"kind": "Block", "height": 1.8, "width": width},
        "motion": {"pulse": "sine,a=0.35g,T=0.8,dt=0.005,tail=10"},
    }


async def slider(
    client: httpx.AsyncClient, name: str, end: float, waits: list[float], lost: list[str]
) -> None:
    """One person, until ``end``."""
    rng = random.Random(name)
    width = 0.5
    await asyncio.sleep(rng.uniform(0, PAUSE))
    while time.monotonic() < end:
        width = min(max(width + rng.uniform(-0.01, 0.01), 0.3), 0.8)
        began = time.perf_counter()
        try:
            answer = await client.post(
                "/api/simulate", json=case(width), headers={"X-Studio-Client": name}
            )
            if answer.status_code != 200:
                lost.append(answer.text[:100])
        except httpx.HTTPError as error:
            lost.append(repr(error))
        waits.append(time.perf_counter() - began)
        await asyncio.sleep(rng.uniform(FRAME, 2 * PAUSE))


async def many(url: str, clients: int, seconds: float) -> tuple[list[float], list[str]]:
    """What ``clients`` waited for each answer [s], and what was not answered."""
    waits: list[float] = []
    lost: list[str] = []
    limits = httpx.Limits(max_connections=None)
    async with httpx.AsyncClient(base_url=url, timeout=60.0, limits=limits) as client:
        await client.post("/api/simulate", json=case(0.5))
        end = time.monotonic() + seconds
        await asyncio.gather(
            *(slider(client, f"person {i}", end, waits, lost) for i in range(clients))
        )
    return waits, lost


def memory(pid: int) -> float:
    """Resident memory [MB] of a process and its children."""
    total = 0.0
    children = Path(f"/proc/{pid}/task/{pid}/children").read_text(encoding="ascii").split()
    for one in (str(pid), *children):
        status = Path(f"/proc/{one}/status").read_text(encoding="utf-8")
        found = re.search(r"VmRSS:\s+(\d+)", status)
        total += int(found[1]) / 1000 if found else 0.0
    return total


def computed(pid: int) -> float:
    """Processor time [s] that the server and its processes have used."""
    total = 0.0
    children = Path(f"/proc/{pid}/task/{pid}/children").read_text(encoding="ascii").split()
    for one in (str(pid), *children):
        about = Path(f"/proc/{one}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()
        total += (int(about[11]) + int(about[12])) / os.sysconf("SC_CLK_TCK")
    return total


async def memory_over(url: str, pid: int, requests: int, rows: int = 10) -> list[tuple[int, float]]:
    """Memory [MB] after so many requests of all kinds that a page sends."""
    found = []
    rng = random.Random(0)
    async with httpx.AsyncClient(base_url=url, timeout=120.0) as client:

        async def one(i: int) -> None:
            width = rng.uniform(0.3, 0.8)
            kind = i % 10
            if kind == 0:
                await client.post("/api/motion", json={"motion": case(width)["motion"]})
            elif kind == 1:
                await client.post("/api/body", json=case(width)["body"])
            elif kind == 2:
                await client.post("/api/simulate", json=case(-width))
            elif kind == 3:
                content = "\n".join(f"{k / 100}, {width * k % 1}" for k in range(200))
                await client.post("/api/uploads?name=a.csv", content=content)
            else:
                await client.post("/api/simulate", json=case(width))

        for row in range(rows + 1):
            found.append((row * requests // rows, memory(pid)))
            if row < rows:
                for start in range(0, requests // rows, 8):
                    await asyncio.gather(*(one(start + k) for k in range(8)))
    return found


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__, add_help=True)
    options.add_argument("--clients", type=int, default=50)
    options.add_argument("--seconds", type=float, default=20.0)
    options.add_argument("--requests", type=int, default=0)
    asked = options.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        process, url = started(folder)
        try:
            if asked.requests:
                print("| requests | memory [MB] |\n|---:|---:|")
                for count, used in asyncio.run(memory_over(url, process.pid, asked.requests)):
                    print(f"| {count} | {used:.0f} |")
                return
            print(f"{os.cpu_count()} cores, load {os.getloadavg()[0]:.1f} before")
            print("| clients | answers | per second | median [ms] | 95 % [ms] | most [ms] | lost | "
                  "processor time per answer [ms] |")  # fmt: skip
            print("|---:|---:|---:|---:|---:|---:|---:|---:|")
            for clients in (1, 10, asked.clients):
                before = computed(process.pid)
                waits, lost = asyncio.run(many(url, clients, asked.seconds))
                cost = 1e3 * (computed(process.pid) - before) / len(waits)
                cuts = statistics.quantiles(waits, n=20)
                print(
                    f"| {clients} | {len(waits)} | {len(waits) / asked.seconds:.0f} | "
                    f"{1e3 * statistics.median(waits):.0f} | {1e3 * cuts[-1]:.0f} | "
                    f"{1e3 * max(waits):.0f} | {len(lost)} | {cost:.1f} |",
                    flush=True,
                )
                for text in lost[:3]:
                    print("  lost:", text)
        finally:
            process.terminate()
            process.wait()


if __name__ == "__main__":
    main()
