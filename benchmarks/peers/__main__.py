"""python -m benchmarks.peers: run them all in one go, show the tables, write the page."""

from __future__ import annotations

import argparse
import platform
import sys
from datetime import date
from pathlib import Path
from typing import cast

from benchmarks.peers import tables
from benchmarks.peers.assemblies import runs, sheets
from benchmarks.peers.cases import shaken
from benchmarks.peers.measure import Outcome, measure
from benchmarks.peers.roster import FILES, Absent, Present, find
from benchmarks.peers.space import SpaceOutcome, SpacePeer, measure_space
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

from rocksteady.files import write_whole

DOCS = Path(__file__).parents[2] / "docs"
ALL = tuple(dict.fromkeys((*FILES, *runs.FILES)))


def main() -> int:
    ask = argparse.ArgumentParser(prog="python -m benchmarks.peers", description=__doc__)
    ask.add_argument("--only", nargs="+", choices=ALL, default=ALL, help="not all of them")
    part = ask.add_mutually_exclusive_group()
    part.add_argument("--space", action="store_true", help="only the body in space")
    part.add_argument("--assemblies", action="store_true", help="only the stack, frame and wall")
    ask.add_argument("--docs", action="store_true", help="write docs/peers.md and its figure")
    asked = ask.parse_args()
    if asked.docs and tuple(asked.only) != ALL:
        ask.error("--docs writes about all of them: leave --only out.")
    console = Console(width=None if sys.stdout.isatty() else 120)
    outcomes: list[Outcome] = []
    parts: dict[str, str] = {}
    try:
        if not asked.assemblies:
            present, absent = here([file for file in asked.only if file in FILES], console)
            outcomes = [] if asked.space else one_block(present, console)
            parts |= tables.words(outcomes, absent, machine()) if outcomes else {}
            parts |= one_body(present, console)
        if not asked.space:
            parts |= many_stones([file for file in asked.only if file in runs.FILES], console)
    except KeyboardInterrupt:
        console.print("Interrupted: nothing is written; times are compared within one run only.")
        return 130
    if asked.docs:
        write(parts, outcomes)
        console.print(f"Written: docs/peers.md{', docs/_static/peers.*' if outcomes else ''}")
    return 0


def here(files: list[str], console: Console) -> tuple[list[Present], list[Absent]]:
    """Those that can run, and those that cannot, which are named."""
    found = [find(file) for file in files]
    absent = [one for one in found if isinstance(one, Absent)]
    for one in absent:
        console.print(f"[yellow]{one.name}[/]: {one.reason}")
    return [one for one in found if isinstance(one, Present)], absent


def one_block(present: list[Present], console: Console) -> list[Outcome]:
    """The rocking block: each peer at each setting, one after the other."""
    cases, outcomes = shaken(), []
    jobs = [(one, setting) for one in present for setting in one.peer.SETTINGS]
    columns = TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn()
    with Progress(*columns, TimeElapsedColumn(), console=console, transient=True) as progress:
        task = progress.add_task("", total=len(jobs))
        for one, setting in jobs:
            progress.update(task, description=f"{one.peer.NAME}, {setting.name}")
            outcomes.append(measure(one.peer, one.version, setting, cases))
            progress.advance(task)
    for sheet in (tables.free_sheet, tables.shaken_sheet, tables.settings_sheet):
        console.print(sheet(outcomes).rich())
    return outcomes


def one_body(present: list[Present], console: Console) -> dict[str, str]:
    """The body in space, by those that know three dimensions: what goes into the page."""
    outcomes: list[SpaceOutcome] = []
    known = [one for one in present if hasattr(one.peer, "prepare_body")]
    for one in known:
        for setting in (each for each in one.peer.SETTINGS if each.runs == 1):
            console.print(f"[dim]in space: {one.peer.NAME}, {setting.name}[/]")
            outcomes.append(measure_space(cast("SpacePeer", one.peer), one.version, setting))
    for sheet in tables.space_sheets(outcomes):
        console.print(sheet.rich())
    return tables.space_words(outcomes, machine())


def many_stones(files: list[str], console: Console) -> dict[str, str]:
    """Stack, frame and wall: what goes into the page."""
    present, absent = here([f"assemblies.{file}" for file in files], console)
    outcomes: list[runs.Outcome] = []
    for one in present:
        peer = cast("runs.Peer", one.peer)
        for number, setting in enumerate(peer.SETTINGS):
            console.print(f"[dim]stones: {peer.NAME}, {setting.name}[/]")
            outcomes.append(runs.measure(peer, one.version, number))
    console.print(sheets.sheet(outcomes).rich())
    return sheets.words(outcomes, absent, machine())


def write(parts: dict[str, str], outcomes: list[Outcome]) -> None:
    """The page, and the figure of the rocking block if that was run."""
    page = DOCS / "peers.md"
    write_whole(page, tables.fill(page.read_text("utf-8"), parts))
    if not outcomes:
        return
    from benchmarks.peers.picture import draw

    from rocksteady.view.style import save_figure

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
