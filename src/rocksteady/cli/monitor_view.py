"""What a person sees of a monitor: a live panel on a terminal, plain lines elsewhere, a summary."""

from __future__ import annotations

import math
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rich import box
from rich.live import Live
from rich.table import Table
from rich.text import Text

from rocksteady.cli.output import errors, out, say, spaced
from rocksteady.motion.units import GRAVITY_UNIT

if TYPE_CHECKING:
    from rocksteady.monitor import Alarm
    from rocksteady.monitor.session import Session

PLAIN = 10.0  # s between two lines where there is no terminal
REFRESH = 0.25  # s
MEAN = 2.0  # s over which the rate shown is a mean
STANDS = {"at rest": "standing, at rest", "moving": "standing, moving"}


class View:
    """Shows how a session goes, on the error stream."""

    def __init__(self, session: Session, *, quiet: bool) -> None:
        self.session, self.quiet = session, quiet
        console = errors()
        self.live: Live | None = None
        if console.is_terminal and sys.stderr.isatty() and not quiet:
            self.live = Live(console=console, auto_refresh=False, transient=True)
        self.started = self.shown = time.monotonic()
        self.samples = session.monitor.samples
        self._seen, self._rate = (self.started, self.samples), 0.0

    def __enter__(self) -> View:
        if self.live is not None:
            self.live.start()
        return self

    def __exit__(self, *_: object) -> None:
        if self.live is not None:
            self.live.stop()

    def look(self, raised: tuple[Alarm, ...]) -> None:
        """Show what is new, if it is time to."""
        if not self.quiet:
            for alarm in raised:
                say(str(alarm), label="ALARM  ", look="bold red")
        now = time.monotonic()
        due = now - self.shown >= (PLAIN if self.live is None else REFRESH)
        if due and not self.quiet:
            self.shown = now
            then, count = self._seen
            samples = self.session.monitor.samples
            if now - then >= MEAN:
                self._rate, self._seen = (samples - count) / (now - then), (now, samples)
            if self.live is None:
                say(self._line())
            else:
                self.live.update(self._panel(), refresh=True)

    def rate(self) -> float:
        """Samples a second, on the whole."""
        taken = self.session.monitor.samples - self.samples
        return taken / max(time.monotonic() - self.started, 1e-9)

    def _line(self) -> str:
        about = summary(self.session)
        watched = ", ".join(f"{name} {value}" for name, value in watched_rows(about))
        alarms = sum(alarm["sample"] is not None for alarm in about["alarms"])
        return (
            f"{about['time']:.2f} s, {about['samples']} samples, {self._rate:.0f}/s, {watched}, "
            f"{ground(about)}, "
            f"{alarms} alarm{'s' * (alarms != 1)}, {faults(about)}, {about['status']}"
        )

    def _panel(self) -> Table:
        about = summary(self.session)
        table = _table(about["name"])
        table.add_row("time", f"{about['time']:.2f} s   {spaced(self._rate)} samples/s")
        for row in watched_rows(about):
            table.add_row(*row)
        table.add_row("ground", ground(about))
        table.add_row("status", about["status"])
        table.add_section()
        _alarm_rows(table, about)
        table.add_row("data", faults(about))
        return table


def summary(session: Session) -> dict[str, Any]:
    """All there is to say about a session; SI units."""
    monitor, tracker = session.monitor, session.monitor.tracker
    highest, lowest, when, impacts = monitor.extremes
    masonry = "wear" in monitor.values
    status = STANDS.get(monitor.status.value, monitor.status.value)
    about: dict[str, Any] = {
        "name": getattr(monitor.system, "label", type(monitor.system).__name__),
        "status": status,
        "end": monitor.end,
        "samples": monitor.samples,
        "time": monitor.time,
        "dt": monitor.dt,
        "values": monitor.values,
        "peak": max(highest, -lowest),
        "time_of_peak": monitor.start + when,
        "largest_ground": monitor.seen.largest,
        "mean_ground": monitor.seen.means[0],
        "offsets": monitor.seen.offsets(monitor.dt),
        "state": dict(zip(monitor.formulation.columns(monitor.system), monitor.state, strict=True)),
    }
    if masonry:
        frequency = monitor.system.natural_frequency / (2 * math.pi)
        about["frequency_ratio"] = monitor.frequency_ratio
        about["frequency"] = frequency * monitor.frequency_ratio
    else:
        about["impacts"] = impacts
    if tracker.segments:
        about["measured_frequency"] = tracker.frequency
        about["measured_ratio"] = tracker.ratio
    about["alarms"] = [
        {
            "quantity": alarm.quantity,
            "unit": alarm.unit,
            "threshold": alarm.threshold,
            "sample": alarm.sample,
            "time": alarm.time,
            "value": alarm.value,
        }
        for alarm in monitor.alarms
    ]
    about["counts"], about["breaks"] = dict(session.feed.counts), dict(session.breaks)
    about["lines"] = session.reader.lines
    return about


def watched_rows(about: dict[str, Any]) -> list[tuple[str, str]]:
    """What is watched, in words."""
    values = about["values"]
    if "wear" not in values:
        return [("lean", f"{values['lean']:.4g} of α, largest |θ| {about['peak']:.4g} rad")]
    rows = [
        ("wear w", f"{values['wear']:.6f}"),
        ("hardening α", f"{1e3 * values['hardening']:.4f} mm"),
        ("drift |u|", f"{1e3 * values['drift']:.3f} mm, largest {1e3 * about['peak']:.3f} mm"),
        ("frequency", f"{about['frequency']:.3f} Hz, {100 * about['frequency_ratio']:.2f} %"),
    ]
    if "measured_frequency" in about:
        ratio = about["measured_ratio"]
        share = f", {100 * ratio:.2f} %" if math.isfinite(ratio) else ""
        rows.append(("measured", f"{about['measured_frequency']:.3f} Hz{share}"))
    return rows


def ground(about: dict[str, Any]) -> str:
    """The strongest sample, in both units, for a wrong one to show; and what the sensor is off."""
    told = [f"largest |a_h| {in_both(about['largest_ground'])}"]
    told += [f"{name} off by {in_both(offset)}" for name, offset in about["offsets"].items()]
    return ", ".join(told)


def in_both(accel: float) -> str:
    """An acceleration in m/s² and in g."""
    return f"{accel:.3g} m/s² ({accel / GRAVITY_UNIT:.3g} g)"


def faults(about: dict[str, Any]) -> str:
    """What was wrong with the data, in words."""
    from rocksteady.monitor.feed import COUNTS

    counts = [
        f"{spaced(count)} {COUNTS[name][count > 1]}"
        for name, count in about["counts"].items()
        if count and name != "samples"
    ]
    counts += [f"{count} {why}" for why, count in about["breaks"].items()]
    return ", ".join(counts) or "no faults"


def print_summary(about: dict[str, Any], folder: Path | None) -> None:
    """The table at the end."""
    console = out()
    table = _table(about["name"])
    table.add_row("status", Text(about["status"], "bold"))
    if math.isfinite(about["end"]):
        table.add_row("", f"at {about['end']:.3f} s")
    table.add_row(
        "samples", f"{spaced(about['samples'])} of {about['dt']:g} s, to {about['time']:.3f} s"
    )
    table.add_row("ground", ground(about))
    for row in watched_rows(about):
        table.add_row(*row)
    table.add_section()
    _alarm_rows(table, about)
    table.add_row("data", faults(about))
    if "rate" in about:
        table.add_row("speed", f"{spaced(about['rate'])} samples/s")
    console.print(table)
    if folder is not None:
        console.print(Text.assemble(("  log in ", "dim"), (str(folder), "bold")), soft_wrap=True)


def _table(title: str) -> Table:
    table = Table(
        box=box.ROUNDED,
        show_header=False,
        padding=(0, 1),
        border_style="dim",
        title=title,
        title_justify="left",
    )
    table.add_column(no_wrap=True)
    table.add_column(min_width=40)
    return table


def _alarm_rows(table: Table, about: dict[str, Any]) -> None:
    for alarm in about["alarms"]:
        unit = alarm["unit"] and " " + alarm["unit"]
        limit = f"{alarm['quantity']} ≥ {alarm['threshold']:g}{unit}"
        if alarm["sample"] is None:
            text = Text(f"{limit}: not reached", "green")
        else:
            text = Text(f"{limit}: {alarm['value']:.5g}{unit} at {alarm['time']:.2f} s", "bold red")
        table.add_row("alarm", text)
