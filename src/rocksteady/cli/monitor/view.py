"""What the monitor shows: a live panel on a terminal, plain lines elsewhere, a summary."""

import math
import sys
import threading
import time
from pathlib import Path
from typing import Any, Self

from rich import box
from rich.live import Live
from rich.table import Table
from rich.text import Text

from rocksteady.cli.common.output import errors, out, say, spaced
from rocksteady.cli.monitor.summary import doubts, faults, ground, summary, troubles, watched_rows
from rocksteady.monitor import Alarm
from rocksteady.monitor.doubts import REASONS
from rocksteady.monitor.watch import Watch

PLAIN = 10.0  # s between two lines where there is no terminal
REFRESH = 0.25  # s
MEAN = 2.0  # s over which the rate shown is a mean


class View:
    """Shows the state of one building or many, on the error stream. Safe to call from threads."""

    def __init__(self, watches: list[Watch], *, quiet: bool) -> None:
        self.watches, self.quiet = watches, quiet
        console = errors()
        self.live: Live | None = None
        if console.is_terminal and sys.stderr.isatty() and not quiet:
            self.live = Live(console=console, auto_refresh=False, transient=True)
        self.started = self.shown = time.monotonic()
        self.samples = self._count()
        self._seen, self._rate = (self.started, self.samples), 0.0
        self._troubles: dict[str, dict[str, tuple[str, str]]] = {}
        self._doubts = {watch.name: set(watch.monitor.doubted) for watch in watches}
        self._over = {watch.name for watch in watches if watch.monitor.over}
        self._turn = threading.Lock()

    def __enter__(self) -> Self:
        if self.live is not None:
            self.live.start()
        return self

    def __exit__(self, *_: object) -> None:
        if self.live is not None:
            self.live.stop()

    def report(self, watch: Watch, raised: tuple[Alarm, ...]) -> None:
        """Report events at once, and update the display if it is due."""
        self.report_events(watch, raised)
        self.show()

    def report_events(self, watch: Watch, raised: tuple[Alarm, ...]) -> None:
        """Alarms and problems, each once."""
        whose = f"{watch.name}: " if len(self.watches) > 1 else ""
        if not self.quiet:
            for alarm in raised:
                say(f"{whose}{alarm}", label="ALARM  ", look="bold red")
            if watch.monitor.over and watch.name not in self._over:
                self._over.add(watch.name)
                text = f"{whose}{watch.monitor.status} at {watch.monitor.end:.3f} s"
                say(text, label="ALARM  ", look="bold red")
        doubted = watch.monitor.doubted
        for reason in [each for each in doubted if each not in self._doubts[watch.name]]:
            self._doubts[watch.name].add(reason)
            say(f"{whose}uncertain from now on: {REASONS[reason]}", label="Warning: ",
                look="yellow")  # fmt: skip
        before = self._troubles.get(watch.name, {})
        now = troubles(watch)
        if before.keys() != now.keys():
            self._troubles[watch.name] = now
            for key in now.keys() - before.keys():
                say(f"{whose}{now[key][0]}", label="Warning: ", look="yellow")
            for key in before.keys() - now.keys():
                say(f"{whose}{before[key][1]}", look="green")

    def show(self) -> None:
        """Update the display if it is due."""
        now = time.monotonic()
        due = now - self.shown >= (PLAIN if self.live is None else REFRESH)
        if due and not self.quiet and self._turn.acquire(blocking=False):
            try:
                self.shown = now
                then, count = self._seen
                samples = self._count()
                if now - then >= MEAN:
                    self._rate, self._seen = (samples - count) / (now - then), (now, samples)
                if self.live is None:
                    say(self._line())
                else:
                    self.live.update(self._panel(), refresh=True)
            finally:
                self._turn.release()

    def _count(self) -> int:
        return sum(watch.monitor.samples for watch in self.watches)

    def rate(self) -> float:
        """Samples per second, on average."""
        return (self._count() - self.samples) / max(time.monotonic() - self.started, 1e-9)

    def _line(self) -> str:
        if len(self.watches) != 1:
            return _buildings_line(self.watches, self._rate)
        about = summary(self.watches[0])
        watched = ", ".join(f"{name} {value}" for name, value in watched_rows(about))
        alarms = sum(alarm["sample"] is not None for alarm in about["alarms"])
        return (
            f"{about['time']:.2f} s, {about['samples']} samples, {self._rate:.0f}/s, {watched}, "
            f"{ground(about)}, "
            f"{alarms} alarm{'s' * (alarms != 1)}, {faults(about)}, {about['stance']}"
        )

    def _panel(self) -> Table:
        if len(self.watches) != 1:
            return buildings_table([summary(watch) for watch in self.watches])
        about = summary(self.watches[0])
        return _table(
            about,
            ("time", f"{about['time']:.2f} s   {spaced(self._rate)} samples/s"),
            *watched_rows(about),
            ("ground", ground(about)),
            ("status", about["stance"]),
        )


def _buildings_line(watches: list[Watch], rate: float) -> str:
    about = [summary(watch) for watch in watches]
    stands: dict[str, int] = {}
    for one in about:
        stands[one["status"]] = stands.get(one["status"], 0) + 1
    alarms = sum(alarm["sample"] is not None for one in about for alarm in one["alarms"])
    silent = [one["name"] for one in about if one["silent"]]
    counts = ", ".join(f"{count} {status}" for status, count in sorted(stands.items()))
    missing = f", silent: {', '.join(silent)}" if silent else ""
    return f"{len(about)} buildings: {counts}; {rate:.0f} samples/s, {alarms} alarms{missing}"


def buildings_table(buildings: list[dict[str, Any]]) -> Table:
    """A row for each building."""
    table = Table(box=box.ROUNDED, padding=(0, 1), border_style="dim", header_style="bold")
    for heading in ("building", "status", "samples", "watched", "alarms", "data"):
        table.add_column(heading)
    for about in buildings:
        raised = [alarm for alarm in about["alarms"] if alarm["sample"] is not None]
        worst = max(raised, key=lambda alarm: alarm["sample"], default=None)
        text = "none" if worst is None else f"{len(raised)}, last {worst['quantity']} ≥ " \
            f"{worst['threshold']:g}"  # fmt: skip
        values = ", ".join(f"{name} {value:.3g}" for name, value in about["values"].items()
                           if name in ("wear", "drift", "lean"))  # fmt: skip
        faulty = "; ".join([*about["troubles"], faults(about)])
        sure = "" if about["certain"] else "; uncertain"
        table.add_row(
            about["name"],
            about["status"],
            spaced(about["samples"]),
            values,
            Text(text, "bold red" if raised else "green"),
            faulty + sure,
        )
    return table


def print_summary(about: dict[str, Any], folder: Path | None) -> None:
    """The table at the end."""
    console = out()
    table = _table(
        about,
        ("status", Text(about["stance"], "bold")),
        *([("", f"at {about['end']:.3f} s")] if math.isfinite(about["end"]) else []),
        ("samples", f"{spaced(about['samples'])} of {about['dt']:g} s, to {about['time']:.3f} s"),
        ("ground", ground(about)),
        *watched_rows(about),
    )
    for trouble in about["troubles"]:
        table.add_row("trouble", Text(trouble, "yellow"))
    if "rate" in about:
        table.add_row("speed", f"{spaced(about['rate'])} samples/s")
    console.print(table)
    if folder is not None:
        console.print(Text.assemble(("  log in ", "dim"), (str(folder), "bold")), soft_wrap=True)


def _table(about: dict[str, Any], *rows: tuple[str, str | Text]) -> Table:
    """These rows, then doubts, alarms and what was wrong with the data."""
    table = Table(
        box=box.ROUNDED,
        show_header=False,
        padding=(0, 1),
        border_style="dim",
        title=about["name"],
        title_justify="left",
    )
    table.add_column(no_wrap=True)
    table.add_column(min_width=40)
    for row in rows:
        table.add_row(*row)
    for word in about["clock"]["words"]:
        table.add_row("clock", word)
    for doubt in doubts(about):
        table.add_row("uncertain", Text(doubt, "yellow"))
    table.add_section()
    for alarm in about["alarms"]:
        unit = alarm["unit"] and " " + alarm["unit"]
        limit = f"{alarm['quantity']} ≥ {alarm['threshold']:g}{unit}"
        if alarm["sample"] is None:
            text = Text(f"{limit}: not reached", "green")
        else:
            text = Text(f"{limit}: {alarm['value']:.5g}{unit} at {alarm['time']:.2f} s", "bold red")
        table.add_row("alarm", text)
    table.add_row("data", faults(about))
    return table
