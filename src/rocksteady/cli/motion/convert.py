"""`rocksteady motion convert`: any record as CSV or AT2."""

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

SUFFIXES = {"csv": ".csv", "at2": ".AT2"}

To = Annotated[
    str,
    typer.Option(
        "--to", metavar="csv|at2", help="Format of files in a folder: csv or at2.", **RESULTS
    ),
]


@grouped
def convert(
    files: Files,
    reading: ReadOptions = ReadOptions(),  # noqa: B008  # options, not a value
    out: Annotated[
        str | None, out_option("File (.csv, .AT2) or folder; NAME.csv here unless given.")
    ] = None,
    to: To = "csv",
    as_json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Write motions as CSV (in s and m/s²) or PEER AT2 (in g), with all digits.

    Component, station, event and what else is known go with it and are read back.
    Files with several components, or one for each, give several; the component is
    in the name.

    \b
    [cyan]rocksteady motion convert record.V2 -o converted/[/cyan]
    [cyan]rocksteady motion convert record.EW -o record.AT2[/cyan]
    [cyan]rocksteady motion convert records/ --to at2 -o converted/[/cyan]
    """
    from rocksteady.cli.common.output import out as output
    from rocksteady.cli.common.output import print_files, print_json
    from rocksteady.cli.common.progress import Work
    from rocksteady.motion.writers import write_motion

    suffix = suffix_for(to, out)
    with Work(quiet=quiet or as_json) as work:
        records = reading.read(files, work.on("Reading …"))
        found = records.found
        sources = [one.file for one in found]
        paths = targets(labels(found), out, suffix, sources, endings(found))
        advance = work.on("Writing …")
        written = []
        for done, (one, path) in enumerate(zip(found, paths, strict=True), start=1):
            written += write_motion(one.motion, path)
            advance(done, len(paths))
    if as_json:
        print_json({"files": [str(path) for path in written], "failures": records.failures})
    elif not quiet:
        print_files(written, output())
    records.finish()


def suffix_for(to: str, out: str | None) -> str:
    """How the names of files in a folder end; an error where ``out`` is a file of another kind."""
    from rocksteady.motion.writers import writer_for

    if to.lower() not in SUFFIXES:
        raise InputError(f"--to {to} is not a format to write: choose {' or '.join(SUFFIXES)}.")
    if out is not None and names_file(out):
        writer_for(out)
    return SUFFIXES[to.lower()]
