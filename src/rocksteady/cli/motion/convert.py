"""`rocksteady motion convert`: any record as CSV or AT2."""

from typing import Annotated

from rocksteady.cli.common.inputs import Json, Quiet, grouped
from rocksteady.cli.common.options import out_option, result
from rocksteady.cli.motion.files import Files, ReadOptions, names_file, write_each
from rocksteady.errors import InputError

SUFFIXES = {"csv": ".csv", "at2": ".AT2"}

To = Annotated[str, result("Format of files in a folder: csv or at2.", "--to", metavar="csv|at2")]


@grouped
def convert(
    files: Files,
    reading: ReadOptions = ReadOptions(),  # noqa: B008  # options, not a value
    out: Annotated[
        str | None, out_option("File (.csv, .AT2) or folder; NAME.csv by default.", "FILE|FOLDER")
    ] = None,
    to: To = "csv",
    as_json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Write motions as CSV (in s and m/s²) or PEER AT2 (in g), with all digits.

    Component, azimuth, station, event and other facts are kept and read back.
    Each component becomes a file with its name; --record joins the components of
    a station, wherever they are, into one CSV with columns a_h, a_t and a_v.

    \b
    [cyan]rocksteady motion convert record.V2 -o converted/[/cyan]
    [cyan]rocksteady motion convert record.EW -o record.AT2[/cyan]
    [cyan]rocksteady motion convert records/ --to at2 -o converted/[/cyan]
    [cyan]rocksteady motion convert KJM000.AT2 --record -o KJM.csv[/cyan]
    """
    from rocksteady.motion.writers import write_motion

    suffix = suffix_for(to, out)
    write_each(files, reading, out, suffix, "Writing …", write_motion, quiet=quiet, as_json=as_json)


def suffix_for(to: str, out: str | None) -> str:
    """The ending of files in a folder; an error if ``out`` is a file that cannot be written."""
    from rocksteady.motion.writers import writer_for

    if to.lower() not in SUFFIXES:
        raise InputError(f"--to {to} is not a format to write: choose {' or '.join(SUFFIXES)}.")
    if out is not None and names_file(out):
        writer_for(out)
    return SUFFIXES[to.lower()]
