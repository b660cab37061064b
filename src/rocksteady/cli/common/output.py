"""What a person reads: tables on the output stream, everything else on the error stream."""

from __future__ import annotations

import json
import math
import re
import shutil
import sys
from collections.abc import Iterable
from functools import cache
from pathlib import Path
from typing import Any

from rich import box
from rich.console import Console
from rich.table import Table
from rich.text import Text

from rocksteady.cli.common.whole_tables import WholeTables

STATUS_LOOK = {
    "at rest": "bold green",
    "moving": "bold yellow",
    "overturned": "bold red",
    "collapsed": "bold red",
    "failed": "bold magenta",
}
_QUIET = "dim"
_GAUGE = 24  # characters
# Print text unchanged: units in brackets and file names are not markup.
_PLAINLY: dict[str, Any] = {"highlight": False, "markup": False, "emoji": False}


@cache
def errors() -> Console:
    """The error stream. One for all, so that a warning and a progress bar know of each other."""
    return Console(stderr=True, **_PLAINLY)


def out() -> WholeTables:
    """The output stream."""
    return WholeTables(**_PLAINLY)


def say(text: str, *, label: str = "", look: str = "") -> None:
    """One line on the error stream, broken only by a terminal."""
    console = errors()
    line = Text.assemble((label, look or "bold red"), (" ".join(text.split()), look))
    console.print(line, soft_wrap=not console.is_terminal)


def spaced(number: float) -> str:
    """1234567 → "1 234 567"."""
    return f"{number:,.0f}".replace(",", " ")


def print_json(values: dict[str, Any]) -> None:
    """One JSON object on the output stream; numbers that are not finite become null."""
    print(json.dumps(_finite(values), indent=2, allow_nan=False))


def _finite(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _finite(inner) for key, inner in value.items()}
    if isinstance(value, list):
        return [_finite(inner) for inner in value]
    return None if isinstance(value, float) and not math.isfinite(value) else value


# -- a run --------------------------------------------------------------------------------------


def print_run(about: dict[str, Any]) -> None:
    """The table of a run, from what `summary.of_run` says of it, and the files below."""
    console = out()
    table = Table(box=box.ROUNDED, show_header=False, padding=(0, 1), border_style=_QUIET)
    table.add_column(no_wrap=True)
    table.add_column()
    for section in (_block_rows(about), _motion_rows(about), _result_rows(about, console)):
        for i, (label, value) in enumerate(section):
            look = "" if i else "bold"  # the first row of a section is its heading
            table.add_row(Text(label, look), Text(value, look) if isinstance(value, str) else value)
        table.add_section()
    console.print(table)
    print_files(about["files"], console)


def print_next(hints: dict[str, str], console: Console) -> None:
    """What to do next: a sentence and the command to type, on one unbroken line."""
    for hint, line in hints.items():
        command = re.sub(r"(^|&& )rocksteady\b", rf"\1{program()}", line)
        console.print(Text.assemble(f"\n{hint}\n  ", (command, "cyan")), soft_wrap=True)


def program() -> str:
    """What to type: after `make demo` the command is not on the PATH."""
    called = Path(sys.argv[0])
    known = called.name != "rocksteady" or shutil.which("rocksteady")
    return "rocksteady" if known else str(called)


def print_files(files: Iterable[str | Path], console: Console) -> None:
    """A line for each, never broken: paths are there to be copied."""
    for path in files:
        console.print(Text.assemble(("  wrote ", _QUIET), (str(path), "bold")), soft_wrap=True)


Rows = list[tuple[str, str | Text]]

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
    if loss.get("eta") is not None:
        kept = f"η = {loss['eta']:.4g} of its angular velocity (given)"
    elif loss.get("r") is not None:
        kept = f"r = {loss['r']:.4g} of its kinetic energy (given)"
    else:
        kept = about["keeps_at_impact"]
    friction = loss.get("friction")
    slides = ""
    if friction is not None and friction < block["uplift_acceleration"] / block["g"]:
        slides = f"; it slides before, from {friction:.3g} g"
    return [
        ("Block", f"{block['height']:.4g} m high, {block['width']:.4g} m wide"),
        ("", f"h = {block['com_height']:.4g} m, b = {block['b']:.4g} m, R = {block['R']:.4g} m, "
             f"p = {block['p']:.4g} rad/s"),
        ("balances at", angle),
        ("lifts off at", f"{block['uplift_acceleration'] / block['g']:.3f} g ({uplift}){slides}"),
        *([("keeps at an impact", kept)] if about["has_impacts"] else []),
    ]  # fmt: skip


def _motion_rows(about: dict[str, Any]) -> Rows:
    motion, block = about["motion"], about["block"]
    start = []
    if about["theta0"] or about["omega0"]:
        lean = f"θ = {_degrees(about['theta0'])} ({about['theta0']:.4g} rad)"
        start = [("let go at", f"{lean}, ω = {about['omega0']:.4g} rad/s")]
    if motion is None:
        return [("Motion", "none: it rocks freely"), *start]
    times = motion["pga"] / block["uplift_acceleration"]
    rows: Rows = [
        ("Motion", motion["name"] or "without a name"),
        ("made by", _rounded(" → ".join(motion["history"]))),
        ("largest acceleration", f"{motion['pga_g']:.3g} g, {times:.3g} times what lifts it off"),
        ("length", f"{motion['duration']:.4g} s in steps of {motion['dt']:.4g} s"
                   f"{', with vertical' if motion['vertical'] else ''}"),
    ]  # fmt: skip
    return [row for row in rows if row[1]] + start


def _result_rows(about: dict[str, Any], console: Console) -> Rows:
    look = STATUS_LOOK[about["status"]]
    peak, angle = about["peak"], about["peak_angle"]
    where = f"{_degrees(abs(angle))} at {about['time_of_peak']:.2f} s"
    full, empty = "#." if console.options.ascii_only else "█░"
    filled = round(_GAUGE * min(peak, 1.0)) if math.isfinite(peak) else 0
    gauge = Text.assemble((full * filled, look), (empty * (_GAUGE - filled), _QUIET))
    advice = about["advice"] if about["motion"] else _LET_GO.get(about["status"], about["advice"])
    rows: Rows = [("Result", Text(about["status"].upper(), look))]
    what = about["coordinate"]
    if not what["over"]:  # judged in its own unit, not as a lean
        rows += [("", advice)]
        value = f"{peak:.4g} {what['unit']} at {about['time_of_peak']:.2f} s"
        rows += [(f"largest {what['name']}", value if peak else "none: it does not move")]
    elif about["fell_at"] is not None:  # after a fall a peak means nothing: say how it fell
        past = f"past its balance angle for good at {about['fell_at']:.2f} s"
        over = Text.assemble((full * _GAUGE, look), f"  to the {about['fell_to']}")
        rows += [("", advice), ("falls", over)]
        rows.append(("", f"{past}, the run ends at {about['duration']:.2f} s"))
    elif peak == 0:
        rows += [("", "It stands, and was never lifted off the ground.")]
        rows += [("largest lean", "none: it does not lift off")]
    else:
        share = 100 * peak
        way = f"{share:.0f} %" if share >= 1 else f"{share:.2f} %"
        way = f"{'< 0.01 %' if share < 0.005 else way} of its balance angle"
        where += ": past it, and back" if peak > 1 else ""
        rows += [("", advice), ("largest lean", Text.assemble(gauge, f"  {way}"))]
        rows.append(("", f"|θ|/α = {peak:.4g}, {where}"))
    if abs(about["slide"]) >= 1e-4:
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
