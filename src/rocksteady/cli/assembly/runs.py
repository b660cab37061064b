"""A run of an assembly in numbers, ready for JSON; and as a table."""

from __future__ import annotations

import dataclasses
import math
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from rich.text import Text

from rocksteady.analysis.stones.outcome import outcome
from rocksteady.cli.assembly.inputs import as_options
from rocksteady.cli.assembly.tables import assembly_rows, of_assembly
from rocksteady.cli.common.output import STATUS_LOOK, box_table, out, print_files
from rocksteady.cli.common.summary import of_floor, of_motion
from rocksteady.version import environment, version

if TYPE_CHECKING:
    import rocksteady as rs

Rows = list[tuple[str, str | Text]]


def of_run(
    response: rs.Response, ground: rs.Motion | None, files: list[Path], floor: rs.Floor | None
) -> dict[str, Any]:
    """A run and its results; ``ground`` is its motion before the ``floor`` changed it."""
    assembly: Any = response.system
    formulation: Any = response.formulation
    found = outcome(response, halve=True)
    return {
        "rocksteady": version(),
        "environment": environment(),
        "assembly": of_assembly(assembly),
        "formulation": {"name": formulation.name, **dataclasses.asdict(formulation)},
        **found.computed,
        "motion": None if ground is None else of_motion(ground),
        "floor": None if floor is None else of_floor(floor, response.motion),
        "status": str(response.status),
        "advice": response.status.advice,
        "sentence": found.sentence,
        "in_place": response.outcome.in_place,
        "left": response.outcome.left,
        "moved": response.outcome.moved,
        "peak": response.peak,
        "time_of_peak": response.time_of_peak,
        "moved_most": found.moved_most,
        "turn": found.turn,
        "turned_most": found.turned_most,
        "fallen": [{"stone": name, "time": time} for name, time in found.fallen],
        "impacts": len(response.impacts) if formulation.has_impacts else None,
        "told": as_options(found.told),
        "step_error": None if found.step is None else found.step.summary(),
        "duration": float(response.time[-1]),
        "energy": {
            "largest": float(np.nanmax(response.energy)),
            "work": float(response.column("work")[-1]),
            "loss": float(response.column("loss")[-1]),
        },
        "files": [str(path) for path in files],
    }


def print_run(about: dict[str, Any]) -> None:
    """The table of a run, from what `of_run` says of it, and the files below."""
    console, table = out(), box_table()
    for section in (assembly_rows(about["assembly"]), _motion_rows(about), _result_rows(about)):
        for i, (label, value) in enumerate(section):
            look = "" if i else "bold"  # the first row of a section is its heading
            table.add_row(Text(label, look), Text(value, look) if isinstance(value, str) else value)
        table.add_section()
    console.print(table)
    console.print(about["told"])
    print_files(about["files"], console)


def _motion_rows(about: dict[str, Any]) -> Rows:
    motion, floor = about["motion"], about["floor"]
    if motion is None:
        return [("Motion", "none: it is let go as it stands")]
    rows: Rows = [
        ("Motion", motion["name"] or "without a name"),
        ("largest acceleration", f"{motion['pga_g']:.3g} g"),
        ("length", f"{motion['duration']:.4g} s in steps of {motion['dt']:.4g} s"
                   f"{', with vertical' if motion['vertical'] else ''}"),
    ]  # fmt: skip
    if floor is not None:
        rows += [("Floor", floor["words"]), ("largest there", f"{floor['pfa_g']:.3g} g")]
    return rows


def _result_rows(about: dict[str, Any]) -> Rows:
    rows: Rows = [("Result", Text(about["status"].upper(), STATUS_LOOK[about["status"]]))]
    rows.append(("", about["sentence"]))
    moves = about["moved"]
    if moves:
        where = f"{_metres(about['peak'])}, {about['moved_most']}, at {about['time_of_peak']:.2f} s"
        rows.append(("moved farthest", where))
    if moves and about["turn"] > 0:
        rows.append(("turned most", f"{math.degrees(about['turn']):.3g}°, {about['turned_most']}"))
    if about["impacts"]:
        rows.append(("impacts", f"{about['impacts']} in {about['duration']:.4g} s"))
    if "residual" in about:
        rows.append(("worst residual", f"{about['residual']:.1e} g h, {about['rule']} rule"))
    if "time_step" in about:
        rows.append(("time step", f"{1e3 * about['time_step']:.3g} ms"))
    return rows


def _metres(length: float) -> str:
    return f"{length:.3g} m" if length >= 1 else f"{1e3 * length:.3g} mm"
