"""`rocksteady motion`: what is in ground-motion files."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from rocksteady.cli.inputs import Json

app = typer.Typer(
    add_completion=False,
    rich_markup_mode="rich",
    no_args_is_help=True,
    help="Look at ground-motion files.",
)

UNREADABLE = 1  # exit status
_NUMBERS = ("dt\n[s]", "samples", "length\n[s]", "PGA\n[g]", "PGA\n[m/s²]", "PGV\n[cm/s]")
_WIDE = 110  # characters; a narrower table leaves the format out


@app.callback()
def motion() -> None:
    """Look at ground-motion files."""


@app.command()
def info(
    files: Annotated[
        list[str], typer.Argument(metavar="FILE...", help="Records of any known format.")
    ],
    component: Annotated[
        str | None, typer.Option("--component", help="Only this one, of files with several.")
    ] = None,
    dt: Annotated[
        float | None, typer.Option("--dt", help="Time step, s, of files that have none.")
    ] = None,
    unit: Annotated[
        str | None,
        typer.Option("--unit", help="Unit of files that name none: g, m/s2, cm/s2, …"),
    ] = None,
    as_json: Json = False,
) -> None:
    """Say what is in each file: time step, length, peaks.

    A file that cannot be read is named with the reason; the others are still shown.

    \b
    [cyan]rocksteady motion info record.AT2 other.csv[/cyan]
    [cyan]rocksteady motion info plain.txt --dt 0.01 --unit g[/cyan]
    """
    from rocksteady.errors import InputError

    found: list[dict[str, Any]] = []
    failures: list[dict[str, str]] = []
    for file in files:
        try:
            found += _described(file, component, dt, unit)
        except (InputError, OSError) as error:
            failures.append({"file": file, "error": str(error)})
    _show(found, failures, as_json)
    if failures:
        raise typer.Exit(UNREADABLE)


def _described(
    file: str, component: str | None, dt: float | None, unit: str | None
) -> list[dict[str, Any]]:
    """What is in a file, for each component; one alone has no name."""
    from rocksteady.cli.summary import of_motion
    from rocksteady.motion import read_motion
    from rocksteady.motion.readers._common import GRAVITY_UNIT

    read = read_motion(file, component, dt=dt, unit=unit)
    motions = read if isinstance(read, dict) else {None: read}
    return [
        {"file": file, "component": name, **of_motion(motion, GRAVITY_UNIT)}
        for name, motion in motions.items()
    ]


def _show(found: list[dict[str, Any]], failures: list[dict[str, str]], as_json: bool) -> None:
    from rocksteady.cli.output import out, print_json, say

    if as_json:
        print_json({"motions": found, "failures": failures})
    elif found:
        console = out()
        console.print(_table(found, console.width))
    for failure in failures:
        say(failure["error"], label="Error: ")


def _table(found: list[dict[str, Any]], width: int) -> Any:
    from pathlib import Path

    from rich import box
    from rich.table import Table
    from rich.text import Text

    table = Table(box=box.SIMPLE_HEAD, header_style="bold", padding=(0, 1, 0, 0), pad_edge=False)
    table.add_column(Text("motion"), overflow="fold")
    for name in _NUMBERS:
        table.add_column(Text(name), justify="right", no_wrap=True)
    table.add_column("vertical", no_wrap=True)
    wide = width >= _WIDE
    if wide:
        table.add_column("format", no_wrap=True)
    for row in found:
        table.add_row(
            Text(" ".join(filter(None, (Path(row["file"]).name, row["component"])))),
            f"{row['dt']:.4g}",
            str(row["npts"]),
            f"{row['duration']:.4g}",
            f"{row['pga_g']:.3f}",
            f"{row['pga']:.3f}",
            f"{100 * row['pgv']:.2f}",
            "yes" if row["vertical"] else "–",
            *([(row["format"] or "").partition(" (")[0]] if wide else []),
        )
    return table
