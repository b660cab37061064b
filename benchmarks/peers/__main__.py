"""python -m benchmarks.peers: run them all in one go, show the tables, write the page."""

from __future__ import annotations

import argparse
import platform
import sys
from datetime import date
from pathlib import Path

from benchmarks.peers import tables
from benchmarks.peers.cases import shaken
from benchmarks.peers.measure import Outcome, measure
from benchmarks.peers.roster import FILES, Absent, Present, find
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

from rocksteady.files import write_whole

DOCS = Path(__file__).parents[2] / "docs"


def main() -> int:
    ask = argparse.ArgumentParser(prog="python -m benchmarks.peers", description=__doc__)
    ask.add_argument("--only", nargs="+", choices=FILES, default=FILES, help="not all of them")
    ask.add_argument("--docs", action="store_true", help="write docs/peers.md and its figure")
    asked = ask.parse_args()
    if asked.docs and tuple(asked.only) != FILES:
        ask.error("--docs writes about all of them: leave --only out.")
    console = Console(width=None if sys.stdout.isatty() else 120)
    found = [find(file) for file in asked.only]
    absent = [one for one in found if isinstance(one, Absent)]
    for one in absent:
        console.print(f"[yellow]{one.name}[/]: {one.reason}")
    outcomes, complete = run([one for one in found if isinstance(one, Present)], console)
    if outcomes:
        for sheet in (tables.free_sheet, tables.shaken_sheet, tables.settings_sheet):
            console.print(sheet(outcomes).rich())
    if not complete:
        console.print("Interrupted: nothing is written; times are compared within one run only.")
        return 130
    if asked.docs:
        write(outcomes, absent)
        console.print("Written: docs/peers.md, docs/_static/peers.png, docs/_static/peers.svg")
    return 0


def run(present: list[Present], console: Console) -> tuple[list[Outcome], bool]:
    """Each peer at each setting, one after the other; and whether it came to the end."""
    cases, outcomes = shaken(), []
    jobs = [(one, setting) for one in present for setting in one.peer.SETTINGS]
    columns = TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn()
    with Progress(*columns, TimeElapsedColumn(), console=console, transient=True) as progress:
        task = progress.add_task("", total=len(jobs))
        try:
            for one, setting in jobs:
                progress.update(task, description=f"{one.peer.NAME}, {setting.name}")
                outcomes.append(measure(one.peer, one.version, setting, cases))
                progress.advance(task)
        except KeyboardInterrupt:
            return outcomes, False
    return outcomes, True


def write(outcomes: list[Outcome], absent: list[Absent]) -> None:
    from benchmarks.peers.picture import draw

    from rocksteady.view.style import save_figure

    page = DOCS / "peers.md"
    text = tables.fill(page.read_text("utf-8"), tables.words(outcomes, absent, machine()))
    write_whole(page, lambda part: part.write_text(text, "utf-8"))
    figure = draw(outcomes)
    for kind in ("png", "svg"):
        save_figure(figure, DOCS / "_static" / f"peers.{kind}")


def machine() -> str:
    """Where and when, for the page."""
    python = f"Python {platform.python_version()}"
    return f"Measured on {date.today():%d %B %Y}: {_processor()}, {platform.system()}, {python}."


def _processor() -> str:
    try:
        lines = Path("/proc/cpuinfo").read_text("utf-8").splitlines()
    except OSError:
        return platform.processor() or platform.machine()
    models = [line.split(":", 1)[1].strip() for line in lines if line.startswith("model name")]
    return f"{len(models)} cores of {models[0]}" if models else platform.machine()


if __name__ == "__main__":
    sys.exit(main())
