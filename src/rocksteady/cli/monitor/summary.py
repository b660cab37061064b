"""Summary of a building that is watched, as numbers and in words."""

import dataclasses
import math
from typing import Any

from rocksteady.cli.common.output import spaced
from rocksteady.monitor.counts import BREAKS, COUNTS
from rocksteady.monitor.doubts import MISPLACED, REASONS
from rocksteady.monitor.status_text import short_status, status_text
from rocksteady.monitor.watch import Watch
from rocksteady.motion.units import GRAVITY_UNIT


def troubles(watch: Watch) -> dict[str, tuple[str, str]]:
    """What is wrong, and what to report when it is over."""
    found: dict[str, tuple[str, str]] = {}
    if watch.broken:
        found["broken"] = (f"no longer watched: {watch.broken}", "")
    if watch.unwritten:
        found["log"] = (
            f"the log cannot be written ({watch.unwritten}); watching continues, and the missing "
            "lines are written later",
            "the log is written again",
        )
    if watch.silent:
        text = f"no sample for {watch.silent_after:g} s: the sensor is silent"
        found["silent"] = (text, "the sensor sends samples again")
    for hook, why in ({} if watch.outbox is None else dict(watch.outbox.failures)).items():
        text = f"the {hook} does not accept alarms ({why}); retrying"
        found[hook] = (text, f"the {hook} accepts alarms again")
    return found


def summary(watch: Watch) -> dict[str, Any]:
    """Everything about a building; SI units."""
    monitor, tracker = watch.monitor, watch.monitor.tracker
    highest, lowest, when, impacts = monitor.extremes
    masonry = "wear" in monitor.values
    about: dict[str, Any] = {
        "name": watch.name,
        "status": short_status(monitor),
        "stance": status_text(monitor),
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
    about["alarms"] = [dataclasses.asdict(alarm) for alarm in monitor.alarms]
    about["counts"], about["breaks"] = dict(watch.feed.counts), dict(watch.breaks)
    about["clock"] = watch.feed.clock.about()
    about["silent"] = watch.silent
    about["troubles"] = [text for text, _ in troubles(watch).values()]
    about["lines"] = watch.position.get("lines", 0)
    return about


def doubts(about: dict[str, Any]) -> list[str]:
    """Why the results may be wrong, in words."""
    out = []
    for why, doubt in about["doubts"].items():
        times = f" in all {doubt['seconds']:.4g} s" if doubt["seconds"] else ""
        often = f"{doubt['count']}×{times}" if times else f"{doubt['count']}×"
        out.append(f"since {doubt['since']:.2f} s: {REASONS.get(why, why)} ({often})")
    if out and "wear" in about["values"]:
        misplaced = any(why in MISPLACED for why in about["doubts"])
        bound = "may be larger or smaller" if misplaced else "are lower bounds"
        out.append(f"wear and hardening {bound}")
    return out


def watched_rows(about: dict[str, Any]) -> list[tuple[str, str]]:
    """The watched quantities, in words."""
    values = about["values"]
    if "wear" not in values:
        return [("lean", f"{values['lean']:.4g} of α, largest |θ| {about['peak']:.4g} rad")]
    left = 100 * about["frequency_ratio"]
    rows = [
        ("wear w", f"{values['wear']:.6f}"),
        ("hardening α", f"{1e3 * values['hardening']:.4f} mm"),
        ("drift |u|", f"{1e3 * values['drift']:.3f} mm, largest {1e3 * about['peak']:.3f} mm"),
        ("frequency", f"{about['frequency']:.3f} Hz, {left:.2f} % of the initial one"),
    ]
    if "measured_frequency" in about:
        ratio = about["measured_ratio"]
        share = f", {100 * ratio:.2f} % of the initial one" if math.isfinite(ratio) else ""
        rows.append(("measured", f"{about['measured_frequency']:.3f} Hz{share}"))
    return rows


def ground(about: dict[str, Any]) -> str:
    """The largest sample in both units, so that a wrong unit is seen, and the sensor's offset."""
    parts = [f"largest |a_h| {in_both(about['largest_ground'])}"]
    parts += [f"{name} off by {in_both(offset)}" for name, offset in about["offsets"].items()]
    return ", ".join(parts)


def in_both(accel: float) -> str:
    """An acceleration in m/s² and in g."""
    return f"{accel:.3g} m/s² ({accel / GRAVITY_UNIT:.3g} g)"


def faults(about: dict[str, Any]) -> str:
    """What was wrong with the data, in words."""
    counts = [
        f"{spaced(count)} {COUNTS[name][count > 1]}"
        for name, count in about["counts"].items()
        if count and name != "samples"
    ]
    for why, count in about["breaks"].items():
        one, several = BREAKS.get(why, (why, why))  # the log may be of another version
        counts.append(f"{spaced(count)} {one if count == 1 else several}")
    return ", ".join(counts) or "no faults"
