"""What `rocksteady masonry shake` prints and writes."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from rich.text import Text

from rocksteady.cli.common.files import FIGURES, FILMS
from rocksteady.cli.common.output import headed_table, out, print_files
from rocksteady.cli.masonry.shake import TABLE
from rocksteady.motion.units import GRAVITY_UNIT
from rocksteady.theories.masonry.formulation import COLUMNS, frequency
from rocksteady.version import environment

if TYPE_CHECKING:
    from rocksteady.analysis.sequence import SequenceResponse, Shock

Summary = dict[str, Any]
LONGEST = 18  # letters of a shock's name in the table


def of_shake(response: SequenceResponse, files: list[Path]) -> Summary:
    building = response.building
    status = "collapsed" if response.collapse is not None else "standing"
    return {
        "building": building.label,
        "mass": building.mass,
        "frequency": frequency(building, 0.0),
        "status": "failed" if response.failed is not None else status,
        "shocks": [_of_shock(response, shock) for shock in response.shocks],
        "main": response.main + 1,
        "alone": _of_shock(response, response.alone),
        "hardening_increase": response.hardening_increase,
        "wear_increase": response.wear_increase,
        "collapse": response.collapse,
        "failed": response.failed,
        "warnings": list(response.warnings),
        "environment": environment(),
        "files": [str(path) for path in files],
    }


def _of_shock(response: SequenceResponse, shock: Shock) -> Summary:
    row = shock.row()
    return {
        "shock": shock.name,
        "start": shock.start,
        "pga": row["pga [m/s²]"],
        "peak": row["peak |u| [m]"],
        "slip": row["slip [m]"],
        "hardening": row["hardening [m]"],
        "wear": row["wear [-]"],
        "frequency": frequency(response.building, row["wear [-]"]),
        "collapse": shock.collapse,
        "failed": shock.failed,
    }


def print_shake(about: Summary) -> None:
    console = out()
    console.print(Text(f"{about['building']}, {about['frequency']:.4g} Hz unworn", "bold"))
    names = ("PGA [g]", "|u| [mm]", "slip [mm]", "α [mm]", "wear", "f [Hz]")
    table = headed_table(["", "shock"], names, pad_edge=False, padding=(0, 1, 0, 0))
    for number, row in enumerate(about["shocks"], start=1):
        table.add_row(str(number), *_cells(row, row["shock"]))
    table.add_section()
    table.add_row(str(about["main"]), *_cells(about["alone"], "alone"))
    console.print(table)
    for text, look in _sentences(about):
        console.print(Text(text, look), soft_wrap=True)
    print_files(about["files"], console)


def _cells(row: Summary, name: str) -> list[Any]:
    lengths = (1e3 * row[each] for each in ("peak", "slip", "hardening"))
    numbers = [row["pga"] / GRAVITY_UNIT, *lengths, row["wear"], row["frequency"]]
    short = name if len(name) <= LONGEST else f"{name[: LONGEST - 1]}…"
    if row["failed"] is not None:
        return [Text(short), f"{numbers[0]:.3g}", *["–"] * 5]
    return [Text(short), *(f"{number:.3g}" for number in numbers)]


def _sentences(about: Summary) -> list[tuple[str, str]]:
    """What the sequence did, and how each sentence looks."""
    found = []
    alone, main, count = about["alone"], about["main"], len(about["shocks"])
    if about["collapse"] is not None:
        found.append((f"COLLAPSES in shock {count}, {about['collapse']:.4g} s from the beginning.",
                      "bold red"))  # fmt: skip
    if about["failed"] is not None or alone["failed"] is not None:
        found.append(("The method found no solution: this says nothing about the building. Try "
                      "a shorter time step or the other --update.", "bold magenta"))  # fmt: skip
    elif main == 1:
        pass  # nothing came before the main shock
    elif not alone["hardening"]:
        found.append((f"Shock {main} alone does not make it slip.", ""))
    elif alone["collapse"] is not None:
        found.append((f"Shock {main} alone brings it down, too.", "bold red"))
    elif about["collapse"] is not None and count <= main:
        found.append((f"Shock {main} alone does not bring it down: it leaves a wear of "
                      f"{alone['wear']:.3g}.", ""))  # fmt: skip
    else:
        changes = (_change(about[f"{what}_increase"], what) for what in ("hardening", "wear"))
        found.append((f"Shock {main} leaves {' and '.join(changes)} after those before it than "
                      "alone.", ""))  # fmt: skip
    return found


def _change(increase: float, what: str) -> str:
    return f"{100 * abs(increase):.3g} % {'more' if increase >= 0 else 'less'} {what}"


# -- files -----------------------------------------------------------------------------------------


def write(
    response: SequenceResponse, path: Path, advance: Callable[[int, int], None] | None = None
) -> None:
    """The figure, the film or a table, by the name of the file."""
    if path.suffix in FIGURES:
        response.plot(path)
    elif path.suffix in FILMS:
        response.animate(path, progress=advance)
    elif path.name == TABLE:
        write_shocks(response, path)
    else:
        write_history(response, path)


def write_shocks(response: SequenceResponse, path: Path) -> None:
    """A row for each shock, and one for the main shock alone."""
    from rocksteady.files import write_whole
    from rocksteady.names import csv_text

    rows = response.rows()
    cells = (("" if v is None else v for v in row.values()) for row in rows)
    write_whole(path, csv_text([list(rows[0]), *map(list, cells)]))


def write_history(response: SequenceResponse, path: Path) -> None:
    """A row for each sample: time, ground, state and base shear."""
    from rocksteady.files import write_whole
    from rocksteady.names import csv_text

    ground = np.concatenate([s.motion.accel[: len(s.states)] for s in response.shocks])
    number = np.repeat(
        np.arange(1, len(response.shocks) + 1), [len(s.states) for s in response.shocks]
    )
    force = response.building.contact_area * response.states[:, 5]
    heading = ["time [s]", "shock", "ground [m/s²]", *COLUMNS, "force [N]"]
    table = np.column_stack([response.time, number, ground, response.states, force])
    rows = ([f"{x:.10g}" for x in row] for row in table.tolist())
    write_whole(path, csv_text([heading, *rows]))
