"""A run in numbers, SI units and radians, ready for JSON; and as a table."""

from __future__ import annotations

import dataclasses
import math
import re
from pathlib import Path
from typing import Any, cast

from rich.console import Console
from rich.text import Text

import rocksteady as rs
from rocksteady.cli.common.lift_off import lifts_off, times_what_moves_it
from rocksteady.cli.common.output import STATUS_LOOK, box_table, gauge, out, print_files
from rocksteady.cli.common.space_summary import body_rows, moved_rows, of_body, of_space
from rocksteady.version import environment, version

COLUMN = ("top_mass", "base_mass", "column_mass", "natural_frequency", "damping_ratio")


def of_block(body: Any) -> dict[str, Any]:
    """Its sizes and everything that follows from them; of the weak side where it is asymmetric. A
    flexible oscillator's are those of the straight body, and its column's beside them."""
    own = ("height", "width", "com_height", "offset", "mass", "inertia", "g")
    block = body.rigid()
    column = {name: getattr(body, name) for name in COLUMN if hasattr(body, name)}
    return {
        **{name: getattr(block, name) for name in own},
        **{name: getattr(body, name) for name in ("alpha", "R", "p")},
        "eta": block.eta,
        "r": block.r,
        **({"column": column} if column else {}),
        "b": block.weak_side.b,
        "alpha_left": block.left.alpha,
        "alpha_right": block.right.alpha,
        "uplift_acceleration": block.g * math.tan(block.alpha),
    }


def of_motion(motion: rs.Motion) -> dict[str, Any]:
    """A record or pulse in numbers; the pga…_g are in the unit g, 9.80665 m/s²."""
    from rocksteady.motion.units import GRAVITY_UNIT

    return {
        "name": motion.name,
        "format": motion.meta.get("format"),
        "history": list(motion.meta.get("history", ())),
        "floor": motion.meta.get("floor"),
        "npts": motion.npts,
        "dt": motion.dt,
        "duration": motion.duration,
        "pga": motion.pga,
        "pga_g": motion.pga / GRAVITY_UNIT,
        "pgv": rs.intensity.pgv(motion),
        "vertical": motion.vertical is not None,
        "transverse": motion.transverse is not None,
        **{
            f"pga_{role}_g": float(abs(accel).max()) / GRAVITY_UNIT
            for role, accel in motion.components.items()
            if role != "accel"
        },
    }


def of_floor(floor: rs.Floor, motion: rs.Motion) -> dict[str, Any]:
    """A floor in words and numbers, and how strongly it moves."""
    from rocksteady.motion.units import GRAVITY_UNIT

    return {
        "words": str(floor),
        **floor.described(),
        "ringing": floor.ringing,
        "pfa": motion.pga,
        "pfa_g": motion.pga / GRAVITY_UNIT,
        "pfv": motion.pgv,
    }


def of_run(
    response: rs.Response,
    motion: rs.Motion | None,
    files: list[Path],
    floor: rs.Floor | None = None,
) -> dict[str, Any]:
    """A run and its results, for JSON; ``motion`` as given, before its padding: the ground's."""
    body, formulation = cast("rs.Block", response.system), response.formulation
    in_space = response.system.spatial
    options = dataclasses.asdict(formulation)  # type: ignore[call-overload]
    fell = response.fall
    return {
        "rocksteady": version(),
        "environment": environment(),
        **({"body": of_body(body)} if in_space else {"block": of_block(body)}),
        "formulation": {"name": formulation.name, **options},
        "coordinate": response.coordinate._asdict(),
        "has_impacts": formulation.has_impacts,
        "keeps_at_impact": formulation.keeps_at_impact(body),
        "motion": None if motion is None else of_motion(motion),
        "floor": None if floor is None else of_floor(floor, response.motion),
        "theta0": float(response.states[0, 0]),
        "omega0": float(response.states[0, 1]),
        "status": str(response.status),
        "advice": response.status.advice,
        "outcome": response.outcome.sentence,
        "in_place": response.outcome.in_place,
        "away": response.outcome.away,
        "moved": response.outcome.moved,
        "peak": response.peak,
        "peak_angle": response.peak_angle,
        "time_of_peak": response.time_of_peak,
        "impacts": len(response.impacts),
        "duration": float(response.time[-1]),
        "fell_to": None if fell is None else fell.direction,
        "fell_at": None if fell is None else fell.time,
        "slide": response.slide,
        "energy": _energies(response),
        "files": [str(path) for path in files],
        **(of_space(response) if in_space else {}),
    }


def _energies(response: rs.Response) -> dict[str, float]:
    """Energies [J]; the balance only where work and loss are kept."""
    about = {"largest": float(response.energy.max()), "final": float(response.energy[-1])}
    for name in ("work", "loss"):
        if response.has(name):
            about[name] = float(response.column(name)[-1])
    if "work" in about and "loss" in about:
        about["balance"] = float(abs(response.energy_balance).max())
    return about


# -- as a table ------------------------------------------------------------------------------------

_GAUGE = 24  # characters
Rows = list[tuple[str, str | Text]]


def print_run(about: dict[str, Any]) -> None:
    """The table of a run, from what `of_run` says of it, and the files below."""
    console, table = out(), box_table()
    what = body_rows(about) if "body" in about else _block_rows(about)
    for section in (what, _motion_rows(about), _result_rows(about, console)):
        for i, (label, value) in enumerate(section):
            look = "" if i else "bold"  # the first row of a section is its heading
            table.add_row(Text(label, look), Text(value, look) if isinstance(value, str) else value)
        table.add_section()
    console.print(table)
    print_files(about["files"], console)


_LET_GO = {  # what a run without an earthquake means
    "at rest": "Let go, it rocked until it stood still.",
    "overturned": "Let go like this, it falls without any earthquake.",
}


def _block_rows(about: dict[str, Any]) -> Rows:
    block, loss = about["block"], about["formulation"]
    left, right = block["alpha_left"], block["alpha_right"]
    if left == right:
        angle = f"α = {_degrees(right)} ({right:.4g} rad)"
        uplift = "g tan α"
    else:
        angle = f"α = {_degrees(right)} ({right:.4g} rad) to the right, "
        angle += f"{_degrees(left)} ({left:.4g} rad) to the left"
        uplift = f"g tan α, to the {'right' if right < left else 'left'}"
    column = block.get("column")
    what, bends = "Block", []
    if column is not None:
        what, uplift = "Flexible oscillator", f"{uplift}; its column sways, so it may be before"
        bends = [
            ("masses", f"{column['top_mass']:.4g} kg on top, {column['column_mass']:.4g} kg in the "
                       f"column, {column['base_mass']:.4g} kg in the base"),
            ("on a fixed base", f"ω = {column['natural_frequency']:.4g} rad/s, "
                                f"{100 * column['damping_ratio']:.3g} % damping"),
        ]  # fmt: skip
    if loss.get("eta") is not None:
        kept = f"η = {loss['eta']:.4g} of its angular velocity (given)"
    elif loss.get("r") is not None:
        kept = f"r = {loss['r']:.4g} of its kinetic energy (given)"
    else:
        kept = about["keeps_at_impact"]
    return [
        (what, f"{block['height']:.4g} m high, {block['width']:.4g} m wide"),
        ("", f"h = {block['com_height']:.4g} m, b = {block['b']:.4g} m, R = {block['R']:.4g} m, "
             f"p = {block['p']:.4g} rad/s"),
        *bends,
        ("balances at", angle),
        ("lifts off at", lifts_off(block, loss.get("friction"), how=uplift)),
        *([("keeps at an impact", kept)] if about["has_impacts"] else []),
    ]  # fmt: skip


def _motion_rows(about: dict[str, Any]) -> Rows:
    motion, block = about["motion"], about.get("body") or about["block"]
    start = []
    if about["theta0"] or about["omega0"]:
        lean = f"θ = {_degrees(about['theta0'])} ({about['theta0']:.4g} rad)"
        lean += f" towards {about['direction']:.4g}°" if about.get("direction") is not None else ""
        start = [("let go at", f"{lean}, ω = {about['omega0']:.4g} rad/s")]
    if motion is None:
        return [("Motion", "none: it rocks freely"), *start]
    floor, strongest = about["floor"], motion["pga"]
    above: Rows = []
    friction = about["formulation"].get("friction")
    lifts = f", {times_what_moves_it(block, friction, strongest)}"
    if floor is not None:
        there = f"{floor['pfa_g']:.3g} g, {times_what_moves_it(block, friction, floor['pfa'])}"
        above = [("Floor", floor["words"]), ("largest there", there)]
        lifts = " on the ground"
    rows: Rows = [
        ("Motion", motion["name"] or "without a name"),
        ("of the", motion["floor"] or ""),
        ("made by", _rounded(" → ".join(motion["history"]))),
        ("largest acceleration", f"{motion['pga_g']:.3g} g{lifts}{_others(motion)}"),
        ("length", f"{motion['duration']:.4g} s in steps of {motion['dt']:.4g} s"
                   f"{', with vertical' if motion['vertical'] and 'block' in about else ''}"),
    ]  # fmt: skip
    return [row for row in rows if row[1]] + above + start


def _others(motion: dict[str, Any]) -> str:
    """How strong the other components are, where there is a second horizontal one."""
    if not motion["transverse"]:
        return ""
    words = {"transverse": "along y", "vertical": "upwards"}
    given = [
        f"{motion[f'pga_{role}_g']:.3g} g {how}" for role, how in words.items() if motion[role]
    ]
    return f"; {', '.join(given)}"


def _result_rows(about: dict[str, Any], console: Console) -> Rows:
    look = STATUS_LOOK[about["status"]]
    peak, angle = about["peak"], about["peak_angle"]
    where = f"{_degrees(abs(angle))} at {about['time_of_peak']:.2f} s"
    advice = about["advice"] if about["motion"] else _LET_GO.get(about["status"], about["advice"])
    rows: Rows = [("Result", Text(about["status"].upper(), look))]
    what = about["coordinate"]
    if not what["over"]:  # judged in its own unit, not as a lean
        rows += [("", advice)]
        value = f"{peak:.4g} {what['unit']} at {about['time_of_peak']:.2f} s"
        rows += [(f"largest {what['name']}", value if peak else "none: it does not move")]
    elif about["fell_at"] is not None:  # after a fall a peak means nothing: say how it fell
        past = f"past its balance angle for good at {about['fell_at']:.2f} s"
        full = gauge(1.0, look, console, _GAUGE)
        where = about["fell_to"] if "body" in about else f"to the {about['fell_to']}"
        rows += [("", advice), ("falls", full + f"  {where}")]
        rows.append(("", f"{past}, the run ends at {about['duration']:.2f} s"))
    elif peak == 0:
        rows += [("", about["outcome"])]
        rows += [("largest lean", "none: it does not lift off")]
    else:
        share = 100 * peak
        way = f"{share:.0f} %" if share >= 1 else f"{share:.2f} %"
        way = f"{'< 0.01 %' if share < 0.005 else way} of its balance angle"
        where += ": past it, and back" if peak > 1 else ""
        lean = gauge(min(peak, 1.0) if math.isfinite(peak) else 0.0, look, console, _GAUGE)
        rows += [("", advice), ("largest lean", lean + f"  {way}")]
        rows.append(("", f"|θ|/α = {peak:.4g}, {where}"))
    if "body" in about:
        rows += moved_rows(about)
    elif about["away"] and about["slide"]:
        rows.append(("slides", f"{1000 * about['slide']:+.1f} mm (+ to the right)"))
    if about["has_impacts"]:
        rows.append(("impacts", f"{about['impacts']} in {about['duration']:.4g} s"))
    return rows


def _rounded(text: str) -> str:
    """Without the digits that only a machine needs."""
    return re.sub(r"\d+\.\d{6,}", lambda number: f"{float(number[0]):.6g}", text)


def _degrees(angle: float) -> str:
    """Two decimals; two digits of what is smaller, for it is not nothing."""
    degrees = math.degrees(angle)
    return f"{degrees:.2f}°" if abs(degrees) >= 0.1 or not degrees else f"{degrees:.2g}°"
