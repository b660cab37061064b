"""`rocksteady reproduce`: the papers' tables and figures, with their numbers beside ours."""

import os
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.text import Text

from rocksteady.cli.common.files import check_writable, keep_sources
from rocksteady.cli.common.inputs import Json, Quiet
from rocksteady.cli.common.options import new_app
from rocksteady.cli.common.output import headed_table, print_files
from rocksteady.cli.common.output import out as output
from rocksteady.cli.common.output import report as print_report
from rocksteady.cli.common.progress import Work
from rocksteady.errors import InputError
from rocksteady.reproduce import PAPERS

if TYPE_CHECKING:
    from rocksteady.reproduce.report import Report
    from rocksteady.reproduce.verdict import Level

app = new_app()

FAILS = 1  # exit status where a row fails
COLOURS = {"agrees": "green", "explained": "cyan", "not determinable": "yellow", "fails": "red"}


@app.command()
def reproduce(
    papers: Annotated[
        list[str] | None,
        typer.Argument(metavar="PAPER", help=f"{', '.join(PAPERS)} or all; all unless given."),
    ] = None,
    figure: Annotated[
        list[str] | None,
        typer.Option("--figure", "-f", help="Only this one: 9, 'table 2', 'eqs 13-21', states."),
    ] = None,
    quick: Annotated[
        bool, typer.Option("--quick", help="Smaller campaigns: about a minute for all.")
    ] = False,
    full: Annotated[
        bool, typer.Option("--full", help="With the elastic campaign: many minutes.")
    ] = False,
    out: Annotated[
        Path, typer.Option("--out", "-o", metavar="FOLDER", help="Where figures and tables go.")
    ] = Path("reproduce"),
    resume: Annotated[
        bool, typer.Option("--resume", help="Keep what an interrupted run has left in the folder.")
    ] = False,
    records: Annotated[
        Path | None,
        typer.Option(
            "--records",
            metavar="FOLDER",
            help="Recorded motions: casalotti2025 takes the main shock of L'Aquila 2009 (stations "
            "AQG, AQV) from here; generated ones stand in without.",
        ),
    ] = None,
    as_json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Does it really give the published results? See for yourself.

    Regenerates each table and figure that the papers' texts determine, as .png,
    .svg and .csv, and compares: verdicts.md, .csv and .json hold the paper's
    number, ours, the difference, the tolerance and its reason. A row agrees,
    is explained by a computation beside it, is not determinable from the text
    available to us, or fails. Exit status 0 only if none fails.

    \b
    One paper:
      [cyan]rocksteady reproduce prieto2005[/cyan]
    One figure of it:
      [cyan]rocksteady reproduce casalotti2025 --figure 13[/cyan]
    With the recorded main shock of L'Aquila:
      [cyan]rocksteady reproduce casalotti2025 -f map --records FOLDER[/cyan]
    Everything, in a minute:
      [cyan]rocksteady reproduce all --quick[/cyan]
    """
    from rocksteady.reproduce.report import files_of
    from rocksteady.reproduce.report import reproduce as run

    check_writable(out, folder=True)
    chosen, figures = papers or ["all"], figure or ()
    keep_sources(_could_be_foreign(files_of(chosen, out, figures)))
    if quick and full:
        raise InputError("--quick and --full were both given: choose one of them.")
    with Work(quiet=quiet) as work:

        def watch(name: str, number: int, count: int) -> Callable[[int, int], Any]:
            return work.on(f"{name} ({number + 1} of {count}) …")

        level: Level = "quick" if quick else "full" if full else "usual"
        report = run(
            chosen, out, figures=figures, level=level, resume=resume, records=records, watch=watch
        )
    about = {
        "passed": report.passed,
        "counts": report.counts,
        "verdicts": report.rows,
        "folder": str(out),
    }
    print_report(about, lambda _: _print(report, out), as_json=as_json, quiet=quiet)
    if not report.passed:
        raise typer.Exit(FAILS)


def _could_be_foreign(files: list[Path]) -> list[Path]:
    """All files except tables beside one of our figures: they are written together."""
    from rocksteady.marks import ours

    figures = [path for path in files if path.suffix == ".png" and path.is_file()]
    tables = {path.with_suffix(".csv") for path in figures if ours(path)}
    return [path for path in files if path not in tables]


def _print(report: "Report", out: Path) -> None:
    from rocksteady.reproduce.markdown import counted

    console = output()
    console.print(_table(report))
    for row in report.rows:
        if row["verdict"] != "agrees":
            where = f" {row['paper of']}, {row['item']}, {row['quantity']}: "
            mark = (row["verdict"], f"bold {COLOURS[row['verdict']]}")
            console.print(Text.assemble(mark, where + row["why"]))
    words = f"Of {len(report.rows)} rows: {counted(report.counts)}"
    console.print(Text(words, "bold green" if report.passed else "bold red"))
    figures = sorted({out / item.paper for item in report.done})
    print_files([out / "verdicts.md", out / "verdicts.csv", out / "verdicts.json"], console)
    for folder in figures:
        console.print(Text.assemble(("  figures in ", "dim"), (f"{folder}{os.sep}", "bold")))


def _table(report: "Report") -> Any:
    from rocksteady.reproduce.markdown import shown

    table = headed_table([], padding=(0, 0, 0, 1))
    table.add_column("", min_width=12)  # "not determinable" takes two lines where space is short
    table.add_column("quantity", min_width=16)
    for heading, width in {"paper": 12, "ours": 12, "differs": 8, "within": 8}.items():
        table.add_column(heading, justify="right", max_width=width)
    last = ""
    for item in report.done:
        if item.paper != last:
            table.add_section()
            table.add_row("", Text(item.paper, "bold"))
            last = item.paper
        table.add_row("", Text(item.item, "bold"))
        for row in item.verdicts:
            unit = f" [{row['unit']}]" if row["unit"] else ""
            table.add_row(
                Text(row["verdict"], COLOURS[row["verdict"]]),
                Text(row["quantity"] + unit),
                *(Text(shown(row[name])) for name in ("paper", "ours")),
                *(Text(shown(row[name], 2)) for name in ("difference", "tolerance")),
            )
    return table
