"""`rocksteady calibrate measure`: the loss at impacts, from a test of free rocking."""

import math
import re
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.text import Text

import rocksteady as rs
from rocksteady.cli.common.files import check_figure
from rocksteady.cli.common.inputs import BlockOptions, FigureFile, Json, Quiet, grouped
from rocksteady.cli.common.options import panel
from rocksteady.cli.common.output import counted, out, print_files, report
from rocksteady.cli.common.progress import Work
from rocksteady.errors import InputError, warn

if TYPE_CHECKING:
    from rocksteady.numerics.types import Array

UNITS = ("deg", "rad")
NOTABLE = 0.02  # relative difference of p above which it is reported
STEADY = 1e-6  # °/s: a drift below this is not shown as a number
_MILLISECONDS = re.compile(r"(?<![a-z])(ms|msec|milliseconds?)(?![a-z])", re.IGNORECASE)
_test = panel("The test")


@grouped
def measure(
    test: Annotated[
        Path,
        typer.Argument(metavar="TEST.csv", help="Two columns with a heading: time in s, and lean."),
    ],
    block: BlockOptions,
    unit: Annotated[
        str | None, _test("Unit of the lean, if its heading has none.", metavar="deg|rad")
    ] = None,
    released: Annotated[
        float | None,
        _test("Time of release, s: what comes before is ignored. Unless given, it is found."),
    ] = None,
    impacts: Annotated[
        int | None,
        _test("Number of impacts to compare; unless given, all until swings die out to 5 %."),
    ] = None,
    out: FigureFile = None,
    as_json: Json = False,
    quiet: Quiet = False,
) -> None:
    """The share of energy that a real block keeps at impacts, from a test of free rocking.

    \b
    Tilt it, let it go, and record its lean until it is at rest:
      [cyan]rocksteady calibrate measure test.csv --height 1 --width 0.25 -o fit.png[/cyan]
    It may be held at first, and the sensor may have an offset, a drift and noise.
    Only 6 impacts:
      [cyan]rocksteady calibrate measure t.csv --height 1 --width 0.25 --impacts 6[/cyan]
    """
    body = block.build()
    files = check_figure(out, sources=[test])
    time, theta = read_test(test, unit, released)
    if (reach := float(theta.max() - theta.min())) >= 2 * body.alpha:
        raise InputError(
            f"The lean in {test} changes by {reach:.4g} rad in all, and this block balances at "
            f"{body.alpha:.4g} rad to either side: is the unit right (--unit deg), are there stray "
            "readings, did it fall?"
        )
    with Work(quiet=quiet or as_json) as work:
        work.on("Looking for r …")
        found = rs.measure_r((time, theta), body, impacts=impacts)
        if out is not None:
            from rocksteady.view.decay import plot_measured

            work.on(f"Writing {out.name} …")
            plot_measured(time, theta, body, found, out)
    about = {
        "block": body.label,
        "test": str(test),
        "r": found.r,
        "interval": list(found.interval),
        "eta": found.r**0.5,
        "error": found.error,
        "impacts": found.impacts,
        "released": found.released,
        "theta0": found.theta0,
        "offset": found.offset,
        "drift": found.drift,
        "p": found.p,
        "p_of_block": body.p,
        "housner_r": body.r,
        "housner_eta": body.eta,
        "files": files,
    }
    report(about, _print, as_json=as_json, quiet=quiet)


def read_test(path: Path, unit: str | None, released: float | None) -> "tuple[Array, Array]":
    """Time [s] as in the file, and lean [rad]."""
    import numpy as np

    if unit is not None and unit not in UNITS:
        raise InputError(f"--unit {unit} is not known: choose deg or rad.")
    heading, values = two_columns(path)
    values = values[np.isfinite(values).all(axis=1)]
    if released is not None:
        values = values[values[:, 0] >= released]
    if len(values) < 3 or not (np.diff(values[:, 0]) > 0).all():
        raise InputError(
            f"{path} has {len(values)} samples to compare: its first column must be time in s, "
            "growing, and go on after --released."
        )
    found = unit or next((u for u in UNITS if u in heading.lower()), None)
    if found is None and "°" in heading:
        found = "deg"
    if found is None:
        raise InputError(
            f"{path} does not say what {heading!r} is in: give --unit deg or --unit rad."
        )
    lean = np.radians(values[:, 1]) if found == "deg" else values[:, 1]
    return values[:, 0], lean


def two_columns(path: Path) -> "tuple[str, Array]":
    """The heading of the second column, and the numbers of the first two; time is in s."""
    if not path.is_file():
        raise InputError(f"There is no file {path}: give a test as CSV, time [s] and lean [deg].")
    (clock, heading), values = _columns(path)
    if _MILLISECONDS.search(clock):
        raise InputError(f"{path} has its time in {clock!r}: give it in s.")
    return heading, values


def _columns(path: Path) -> "tuple[tuple[str, str], Array]":
    """The headings of the first two columns, and the numbers below them."""
    import csv

    from rocksteady.numbers import is_number
    from rocksteady.text_tables import read_table

    try:
        table = read_table(path)
        clock, lean = (str(name) for name in table.columns[:2])
        if len(table.columns) > 2:
            unread = ", ".join(str(name) for name in table.columns[2:])
            warn(f"{path.name}: only the first two columns are read, not {unread}.")
        if is_number(lean):
            raise ValueError(f"its first line, {clock}, {lean}, is no heading")
        return (clock, lean), table.iloc[:, :2].to_numpy(dtype=float)
    except (OSError, ValueError, csv.Error) as error:
        why = str(error).rstrip(".")
        raise InputError(
            f"{path} cannot be read as a test: {why}. It needs two columns of numbers with a "
            "heading, as in time [s], lean [deg]."
        ) from error


def _print(about: dict[str, Any]) -> None:
    low, high = about["interval"]
    lean, offset, drift = (math.degrees(about[name]) for name in ("theta0", "offset", "drift"))
    released = round(about["released"], 2) + 0.0  # not -0.00
    drifts = f"{drift:.2g}°/s" if abs(drift) > STEADY else "less than 1e-6 °/s"
    faster = about["p"] / about["p_of_block"] - 1
    lines: list[Text | str] = [
        Text.assemble(
            f"{about['block']}, {counted(about['impacts'], 'impact')}: ",
            (f"r = {about['r']:.4f}", "bold"),
            f" of its kinetic energy (90 % interval {low:.4f} to {high:.4f}), "
            f"η = {about['eta']:.4f} of its angular velocity; "
            f"measured and fitted swings differ by {100 * about['error']:.2g} %",
        ),
        Text(
            f"let go at {released:.2f} s, leaning {lean:.2f}°; the sensor's zero is off by "
            f"{offset:.2f}° then, and drifts by {drifts}",
            "dim",
        ),
    ]
    if abs(faster) > NOTABLE:
        lines.append(
            f"It rocks {100 * abs(faster):.1f} % {'faster' if faster > 0 else 'more slowly'} than "
            "its dimensions say: check them. (r allows for it.)"
        )
    shape = f"r = {about['housner_r']:.4f}, η = {about['housner_eta']:.4f}"
    lines.append(Text(f"from its shape alone (Housner): {shape}", "dim"))
    console = out()
    for line in lines:
        console.print(line, soft_wrap=True)
    print_files(about["files"], console)
    console.print(f"  to go on: rocksteady simulate … --r {about['r']:.4f}", style="dim")
