"""python -m benchmarks.peers: run them all in one go, show the tables, write the page."""

from __future__ import annotations

import argparse
import platform
import sys
from datetime import date
from pathlib import Path
from typing import cast

from benchmarks.peers import tables
from benchmarks.peers.cases import shaken
from benchmarks.peers.measure import Outcome, measure
from benchmarks.peers.roster import FILES, Absent, Present, find
from benchmarks.peers.space import SpaceOutcome, SpacePeer, measure_space
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

from rocksteady.files import write_whole

DOCS = Path(__file__).parents[2] / "docs"


def main() -> int:
    ask = argparse.ArgumentParser(prog="python -m benchmarks.peers", description=__doc__)
    ask.add_argument("--only", nargs="+", choices=FILES, default=FILES, help="not all of them")
    ask.add_argument("--space", action="store_true", help="only the body in space")
    ask.add_argument("--docs", action="store_true", help="write docs/peers.md and its figure")
    asked = ask.parse_args()
    if asked.docs and tuple(asked.only) != FILES:
        ask.error("--docs writes about all of them: leave --only out.")
    console = Console(width=None if sys.stdout.isatty() else 120)
    found = [find(file) for file in asked.only]
    absent = [one for one in found if isinstance(one, Absent)]
    for one in absent:
        console.print(f"[yellow]{one.name}[/]: {one.reason}")
    present = [one for one in found if isinstance(one, Present)]
    outcomes, complete = ([], True) if asked.space else run(present, console)
    if outcomes:
        for sheet in (tables.free_sheet, tables.shaken_sheet, tables.settings_sheet):
            console.print(sheet(outcomes).rich())
    spatial, complete = run_space(present, console) if complete else ([], False)
    for sheet in tables.space_sheets(spatial) if spatial else ():
        console.print(sheet.rich())
    if not complete:
        console.print("Interrupted: nothing is written; times are compared within one run only.")
        return 130
    if asked.docs:
        fill_page(tables.space_words(spatial, machine()))
        if outcomes:
            write(outcomes, absent)
        console.print(f"Written: docs/peers.md{', docs/_static/peers.*' if outcomes else ''}")
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


def run_space(present: list[Present], console: Console) -> tuple[list[SpaceOutcome], bool]:
    """Those that know three dimensions, at each setting; and whether it came to the end."""
    outcomes: list[SpaceOutcome] = []
    known = [one for one in present if hasattr(one.peer, "prepare_body")]
    jobs = [(one, each) for one in known for each in one.peer.SETTINGS if each.runs == 1]
    try:
        for one, setting in jobs:
            console.print(f"[dim]in space: {one.peer.NAME}, {setting.name}[/]")
            outcomes.append(measure_space(cast("SpacePeer", one.peer), one.version, setting))
    except KeyboardInterrupt:
        return outcomes, False
    return outcomes, True


def fill_page(parts: dict[str, str]) -> None:
    page = DOCS / "peers.md"
    text = tables.fill(page.read_text("utf-8"), parts)
    write_whole(page, text)


def write(outcomes: list[Outcome], absent: list[Absent]) -> None:
    from benchmarks.peers.picture import draw

    from rocksteady.view.style import save_figure

    fill_page(tables.words(outcomes, absent, machine()))
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
