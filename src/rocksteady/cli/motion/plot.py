"""`rocksteady motion plot`: a page for each motion."""

from pathlib import Path
from typing import Annotated

import rocksteady as rs
from rocksteady.cli.common.inputs import Json, Quiet, grouped
from rocksteady.cli.common.options import out_option, result
from rocksteady.cli.motion.files import Files, ReadOptions, names_file, write_each
from rocksteady.errors import InputError


@grouped
def plot(
    files: Files,
    reading: ReadOptions = ReadOptions(),  # noqa: B008  # options, not a value
    out: Annotated[
        str | None,
        out_option("Figure (.png, .svg, .pdf) or folder; NAME.png by default.", "FILE|FOLDER"),
    ] = None,
    damping: Annotated[float, result("Damping ratio of the spectrum.")] = 0.05,
    span: Annotated[str | None, result("Time to show, s, as in 2,18.", metavar="FROM,TO")] = None,
    as_json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Draw acceleration, velocity, displacement, response spectrum and Husid curve on one page.

    Each component gives a figure; with --record, each station gives one with all
    components.

    \b
    [cyan]rocksteady motion plot record.AT2[/cyan]
    [cyan]rocksteady motion plot record.V2 --component 360 --span 2,18 -o page.pdf[/cyan]
    [cyan]rocksteady motion plot records/ -o figures/[/cyan]
    [cyan]rocksteady motion plot KJM000.AT2 --record[/cyan]
    """
    from rocksteady.view import style
    from rocksteady.view.motion import plot_motion

    limits = _limits(span)
    if out is not None and names_file(out):
        style.suffix_of(out, tuple(style.FORMATS), "a figure")  # before the work, not after it

    def draw(motion: "rs.Motion", path: Path) -> list[Path]:
        plot_motion(motion, path, damping=damping, span=limits)
        return [path]

    write_each(files, reading, out, ".png", "Drawing …", draw, quiet=quiet, as_json=as_json)


def _limits(span: str | None) -> tuple[float, float] | None:
    if span is None:
        return None
    try:
        start, end = (float(part) for part in span.split(","))
    except ValueError:
        start = end = 0.0
    if not start < end:
        raise InputError(
            f"--span {span} is not a time range: give two times in s, the earlier one first, "
            "as in 2,18."
        )
    return start, end
