"""`rocksteady motion plot`: a page for each motion."""

from __future__ import annotations

from typing import Annotated

import typer

from rocksteady.cli.common.inputs import RESULTS, Json, Quiet, grouped
from rocksteady.cli.motion.files import (
    Files,
    ReadOptions,
    endings,
    labels,
    names_file,
    out_option,
    targets,
)
from rocksteady.errors import InputError


@grouped
def plot(
    files: Files,
    reading: ReadOptions = ReadOptions(),  # noqa: B008  # options, not a value
    out: Annotated[
        str | None, out_option("Figure (.png, .svg, .pdf) or folder; NAME.png here unless given.")
    ] = None,
    damping: Annotated[
        float, typer.Option("--damping", help="Damping ratio of the spectrum.", **RESULTS)
    ] = 0.05,
    span: Annotated[
        str | None,
        typer.Option("--span", metavar="FROM,TO", help="Time to show, s, as in 2,18.", **RESULTS),
    ] = None,
    as_json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Draw acceleration, velocity, displacement, response spectrum and Husid curve on one page.

    Several motions give several figures.

    \b
    [cyan]rocksteady motion plot record.AT2[/cyan]
    [cyan]rocksteady motion plot record.V2 --component 360 --span 2,18 -o page.pdf[/cyan]
    [cyan]rocksteady motion plot records/ -o figures/[/cyan]
    """
    from rocksteady.cli.common.output import out as output
    from rocksteady.cli.common.output import print_files, print_json
    from rocksteady.cli.common.progress import Work, follow_engine
    from rocksteady.view import style
    from rocksteady.view.motion import plot_motion

    limits = _limits(span)
    if out is not None and names_file(out):
        style.suffix_of(out, tuple(style.FORMATS), "a figure")  # before the work, not after it
    with Work(quiet=quiet or as_json) as work:
        follow_engine()
        records = reading.read(files, work.on("Reading …"))
        found = records.found
        paths = targets(labels(found), out, ".png", files, endings(found))
        advance = work.on("Drawing …")
        for done, (one, path) in enumerate(zip(found, paths, strict=True), start=1):
            plot_motion(one.motion, path, damping=damping, span=limits)
            advance(done, len(paths))
    if as_json:
        print_json({"files": [str(path) for path in paths], "failures": records.failures})
    elif not quiet:
        print_files(paths, output())
    records.finish()


def _limits(span: str | None) -> tuple[float, float] | None:
    if span is None:
        return None
    try:
        start, end = (float(part) for part in span.split(","))
    except ValueError:
        start = end = 0.0
    if not start < end:
        raise InputError(
            f"--span {span} is not a stretch of time: give two times in s, the earlier one first, "
            "as in 2,18."
        )
    return start, end
