"""What a person sees of a monitor: a live panel on a terminal, plain lines elsewhere, a summary."""

from __future__ import annotations

import math
import sys
import threading
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
    from rocksteady.monitor.watch import Watch

PLAIN = 10.0  # s between two lines where there is no terminal
REFRESH = 0.25  # s
MEAN = 2.0  # s over which the rate shown is a mean


class View:
    """Shows how one building or many are doing, on the error stream. Threads may tell alarms."""

    def __init__(self, watches: list[Watch], *, quiet: bool) -> None:
        self.watches, self.quiet = watches, quiet
        console = errors()
        self.live: Live | None = None
        if console.is_terminal and sys.stderr.isatty() and not quiet:
            self.live = Live(console=console, auto_refresh=False, transient=True)
        self.started = self.shown = time.monotonic()
        self.samples = self._count()
        self._seen, self._rate = (self.started, self.samples), 0.0
        self._troubles: dict[str, str] = {}
        self._over = {watch.name for watch in watches if watch.monitor.over}
        self._turn = threading.Lock()

    def __enter__(self) -> View:
        if self.live is not None:
            self.live.start()
        return self

    def __exit__(self, *_: object) -> None:
        if self.live is not None:
            self.live.stop()

    def look(self, watch: Watch, raised: tuple[Alarm, ...]) -> None:
        """Show what is new, if it is time to."""
        self.tell(watch, raised)
        self.show()

    def tell(self, watch: Watch, raised: tuple[Alarm, ...]) -> None:
        """Alarms and troubles at once, each once."""
        whose = f"{watch.name}: " if len(self.watches) > 1 else ""
        if not self.quiet:
            for alarm in raised:
                say(f"{whose}{alarm}", label="ALARM  ", look="bold red")
            if watch.monitor.over and watch.name not in self._over:
                self._over.add(watch.name)
                text = f"{whose}{watch.monitor.status.value} at {watch.monitor.end:.3f} s"
                say(text, label="ALARM  ", look="bold red")
        trouble = troubles(watch)
        if trouble != self._troubles.get(watch.name, ""):
            self._troubles[watch.name] = trouble
            say(f"{whose}{trouble or 'all is well again.'}", label="Warning: ", look="yellow")

    def show(self) -> None:
        """How things stand, if it is time to."""
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
        """Samples a second, on the whole."""
        return (self._count() - self.samples) / max(time.monotonic() - self.started, 1e-9)

    def _line(self) -> str:
        if len(self.watches) != 1:
            return _town_line(self.watches, self._rate)
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
            return town_table([summary(watch) for watch in self.watches])
        about = summary(self.watches[0])
        table = _table(about["name"])
        table.add_row("time", f"{about['time']:.2f} s   {spaced(self._rate)} samples/s")
        for row in watched_rows(about):
            table.add_row(*row)
        table.add_row("ground", ground(about))
        table.add_row("status", about["stance"])
        _certainty_row(table, about)
        table.add_section()
        _alarm_rows(table, about)
        table.add_row("data", faults(about))
        return table


def troubles(watch: Watch) -> str:
    """What is wrong with the watching, in words."""
    told = []
    if watch.broken:
        told.append(f"it is watched no longer: {watch.broken}")
    if watch.unwritten:
        told.append(f"the log cannot be written ({watch.unwritten}); watching goes on, and what is "
                    "missing is written later")  # fmt: skip
    if watch.silent:
        told.append(f"no sample for {watch.silent_after:g} s: the sensor is silent")
    failures = {} if watch.courier is None else dict(watch.courier.failures)
    told += [
        f"the {hook} does not take alarms ({why}); tried again" for hook, why in failures.items()
    ]
    return "; ".join(told)


def summary(watch: Watch) -> dict[str, Any]:
    """All there is to say about a building; SI units."""
    from rocksteady.monitor.stance import in_words, stance

    monitor, tracker = watch.monitor, watch.monitor.tracker
    highest, lowest, when, impacts = monitor.extremes
    masonry = "wear" in monitor.values
    about: dict[str, Any] = {
        "name": watch.name,
        "status": stance(monitor),
        "stance": in_words(monitor),
        "end": monitor.end,
        "samples": monitor.samples,
        "time": monitor.time,
        "dt": monitor.dt,
        "values": monitor.values,
        "certain": monitor.certain,
        "doubts": {
            why: {"since": monitor.time_of(d.sample), "count": d.count, "seconds": d.seconds}
            for why, d in monitor.doubts.items()
        },
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
    about["counts"], about["breaks"] = dict(watch.feed.counts), dict(watch.breaks)
    about["silent"], about["trouble"] = watch.silent, troubles(watch)
    about["lines"] = watch.position.get("lines", 0)
    return about


def _certainty_row(table: Table, about: dict[str, Any]) -> None:
    for text in doubts(about):
        table.add_row("uncertain", Text(text, "yellow"))


def doubts(about: dict[str, Any]) -> list[str]:
    """Why the results may be wrong, in words."""
    from rocksteady.monitor.doubts import REASONS

    out = []
    for why, doubt in about["doubts"].items():
        times = f" in all {doubt['seconds']:.4g} s" if doubt["seconds"] else ""
        often = f"{doubt['count']}×{times}" if times else f"{doubt['count']}×"
        out.append(f"since {doubt['since']:.2f} s: {REASONS.get(why, why)} ({often})")
    if out and "wear" in about["values"]:
        out.append("wear and hardening are at least what is said here")
    return out


def _town_line(watches: list[Watch], rate: float) -> str:
    about = [summary(watch) for watch in watches]
    stands: dict[str, int] = {}
    for one in about:
        stands[one["status"]] = stands.get(one["status"], 0) + 1
    alarms = sum(alarm["sample"] is not None for one in about for alarm in one["alarms"])
    silent = [one["name"] for one in about if one["silent"]]
    told = ", ".join(f"{count} {status}" for status, count in sorted(stands.items()))
    heard = f", silent: {', '.join(silent)}" if silent else ""
    return f"{len(about)} buildings: {told}; {rate:.0f} samples/s, {alarms} alarms{heard}"


def town_table(town: list[dict[str, Any]]) -> Table:
    """A row for each building."""
    table = Table(box=box.ROUNDED, padding=(0, 1), border_style="dim", header_style="bold")
    for heading in ("building", "status", "samples", "watched", "alarms", "data"):
        table.add_column(heading)
    for about in town:
        raised = [alarm for alarm in about["alarms"] if alarm["sample"] is not None]
        worst = max(raised, key=lambda alarm: alarm["sample"], default=None)
        text = "none" if worst is None else f"{len(raised)}, last {worst['quantity']} ≥ " \
            f"{worst['threshold']:g}"  # fmt: skip
        values = ", ".join(f"{name} {value:.3g}" for name, value in about["values"].items()
                           if name in ("wear", "drift", "lean"))  # fmt: skip
        faulty = "; ".join(filter(None, (about["trouble"], faults(about))))
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
    from rocksteady.monitor.counts import COUNTS

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
    table.add_row("status", Text(about["stance"], "bold"))
    if math.isfinite(about["end"]):
        table.add_row("", f"at {about['end']:.3f} s")
    table.add_row(
        "samples", f"{spaced(about['samples'])} of {about['dt']:g} s, to {about['time']:.3f} s"
    )
    table.add_row("ground", ground(about))
    for row in watched_rows(about):
        table.add_row(*row)
    _certainty_row(table, about)
    table.add_section()
    _alarm_rows(table, about)
    table.add_row("data", faults(about))
    if about["trouble"]:
        table.add_row("trouble", Text(about["trouble"], "yellow"))
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
