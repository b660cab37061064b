"""`rocksteady identify rocking`: p, α and η from a record of free rocking."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.text import Text

from rocksteady.cli.common.files import check_figure
from rocksteady.cli.common.inputs import FigureFile, Json, Quiet, grouped
from rocksteady.cli.common.options import panel
from rocksteady.cli.common.output import out as output
from rocksteady.cli.common.output import print_files, report
from rocksteady.cli.common.progress import Work
from rocksteady.errors import InputError

if TYPE_CHECKING:
    from rocksteady.numerics.types import Array

# What a signal is, by its unit, and what it is multiplied by.
UNITS = {
    "deg/s": ("rate", 0.017453292519943295),
    "°/s": ("rate", 0.017453292519943295),
    "rad/s": ("rate", 1.0),
    "deg": ("angle", 0.017453292519943295),
    "°": ("angle", 0.017453292519943295),
    "rad": ("angle", 1.0),
    "mm": ("displacement", 1e-3),
    "cm": ("displacement", 1e-2),
    "m": ("displacement", 1.0),
}
_record = panel("The record")
_sensor = panel("The sensor")


@grouped
def rocking(
    test: Annotated[
        Path,
        typer.Argument(
            metavar="TEST.csv", help="Two columns with a heading: time in s, and the signal."
        ),
    ],
    unit: Annotated[
        str | None,
        _record(
            "Unit of the signal, if its heading has none: an angle, a displacement or a rate.",
            metavar="deg|rad|mm|m|deg/s|rad/s",
        ),
    ] = None,
    height: Annotated[
        float | None, _record("Height above the base at which a displacement was measured, m.")
    ] = None,
    width: Annotated[float, _record("Width of the base, m, for a displacement.")] = 0.0,
    asymmetric: Annotated[
        bool, _record("Fit different angles to the right and to the left.", "--asymmetric")
    ] = False,
    released: Annotated[
        str | None,
        _record(
            "Time of release, s, or fit. Unless given, a record that begins at rest begins with "
            "the release, and any other release is found.",
            metavar="SECONDS|fit",
        ),
    ] = None,
    clock: Annotated[
        float, _sensor("Standard deviation of the clock's rate, relative: 1e-4 for 100 ppm.")
    ] = 0.0,
    gain: Annotated[
        float, _sensor("Standard deviation of the sensor's gain, relative: 0.01 for 1 %.")
    ] = 0.0,
    drifting_clock: Annotated[
        bool, _sensor("Fit a clock whose rate changes steadily.", "--drifting-clock")
    ] = False,
    out: FigureFile = None,
    as_json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Find p, α and η of a block from a record of its free rocking, with 90 % intervals.

    \b
    Tilt it to two thirds of where it balances, let it go, and record its lean:
      [cyan]rocksteady identify rocking test.csv -o fit.png[/cyan]
    The displacement of a point 0.8 m above the base, or a gyroscope:
      [cyan]rocksteady identify rocking tip.csv --height 0.8 --width 0.25 --unit mm[/cyan]
      [cyan]rocksteady identify rocking gyro.csv --unit deg/s[/cyan]
    Neither sizes nor starting values are needed. From a small lean only p²α can
    be known.
    """
    from rocksteady.analysis.rocking_identification import identify_block

    files = check_figure(out, sources=[test])
    time, values, kind = read_signal(test, unit)
    if kind == "displacement" and height is None:
        raise InputError(
            f"{test} has a displacement: give --height, how high above the base it was measured."
        )
    with Work(quiet=quiet or as_json) as work:
        work.on("Fitting the block …")
        found = identify_block(
            time,
            values,
            kind=kind,
            height=height,
            width=width,
            symmetric=not asymmetric,
            released=_release(released),
            clock=clock,
            gain=gain,
            drifting_clock=drifting_clock,
        )
        if out is not None:
            work.on(f"Writing {out.name} …")
            found.plot(out)
    about = {"test": str(test), **found.summary(), "files": files}
    report(about, print_sentences, as_json=as_json, quiet=quiet)
    if found.told_apart and not as_json and not quiet:
        p, sides, eta = found.values["p"], found.sides, found.values["eta"]
        if len(sides) == 1:
            body = f"--p {p:.5g} --alpha {found.values['alpha']:.5g} --eta {eta:.5g}"
            output().print(f"  to go on: rocksteady simulate {body} -m …", style="dim")


def read_signal(path: Path, unit: str | None) -> "tuple[Array, Array, str]":
    """Time [s], signal in rad, m or rad/s, and which of these it is."""
    import numpy as np

    from rocksteady.cli.calibrate.measure import two_columns

    if unit is not None and unit not in UNITS:
        raise InputError(f"--unit {unit} is not known: choose from {', '.join(UNITS)}.")
    heading, values = two_columns(path)
    values = values[np.isfinite(values).all(axis=1)]
    if len(values) < 3 or not (np.diff(values[:, 0]) > 0).all():
        raise InputError(
            f"{path} has {len(values)} samples to compare: its first column must be time in s, "
            "growing."
        )
    found = unit or unit_of(heading)
    if found is None:
        raise InputError(
            f"{path} does not say what {heading!r} is in: give --unit, one of {', '.join(UNITS)}."
        )
    kind, factor = UNITS[found]
    return values[:, 0], factor * values[:, 1], kind


def unit_of(heading: str) -> str | None:
    """The unit in a heading such as "lean [deg]", "tip (mm)" or "angle_deg"."""
    import re

    match = re.search(r"[\[(]\s*([^\])]+?)\s*[\])]", heading)
    word = (match[1] if match else re.split(r"[\s_]+", heading.strip())[-1]).lower()
    return word if word in UNITS else None


def _release(text: str | None) -> float | str | None:
    if text is None or text == "fit":
        return text
    try:
        return float(text)
    except ValueError:
        raise InputError(f"--released {text} is not a time: give seconds, or fit.") from None


def print_sentences(about: dict[str, Any]) -> None:
    """The sentences, the first in bold, and the files."""
    console = output()
    for i, line in enumerate(about["sentences"]):
        console.print(Text(line, "bold" if i == 0 else ""), soft_wrap=True)
    print_files(about["files"], console)
