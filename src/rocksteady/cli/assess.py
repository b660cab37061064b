"""`rocksteady assess`: from a description of an object to a report that can be signed."""

import shlex
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.text import Text

from rocksteady.cli.common.files import check_writable, keep_sources
from rocksteady.cli.common.inputs import Json, Quiet
from rocksteady.cli.common.options import new_app, out_option, result
from rocksteady.cli.common.output import box_table, print_files, report
from rocksteady.cli.common.output import out as output
from rocksteady.cli.common.progress import Work
from rocksteady.errors import InputError, so_far

if TYPE_CHECKING:
    from rocksteady.analysis.assessment import Assessment

app = new_app()


@app.command()
def assess(
    described: Annotated[
        Path | None,
        typer.Argument(metavar="OBJECT.toml", help="The object, its place, hazard and motions."),
    ] = None,
    example: Annotated[
        bool, typer.Option("--example", help="Print a file to begin with; it runs as it is.")
    ] = False,
    out: Annotated[Path | None, out_option("The report: one .html file.", "FILE")] = None,
    store: Annotated[
        Path | None,
        result(
            "Keep the runs here; otherwise beside the report, until it is written.",
            metavar="FOLDER",
        ),
    ] = None,
    as_json: Json = False,
    quiet: Quiet = False,
) -> None:
    """How likely is it to fall here, and what would help? A report to sign.

    \b
    Begin with the example, and put in what you know of your object:
      [cyan]rocksteady assess --example > object.toml[/cyan]
      [cyan]rocksteady assess object.toml --out report.html[/cyan]
    The same numbers for programs:
      [cyan]rocksteady assess object.toml --json[/cyan]

    Open the report in a browser; its print dialogue makes the PDF. If it is
    stopped or killed, the same command resumes where it was.
    """
    if example:
        from rocksteady.analysis.assessment import example as text

        typer.echo(text(), nl=False)
        return
    if described is None:
        raise InputError(
            "Give the file that describes the object, as in rocksteady assess object.toml; "
            "--example prints one."
        )
    if out is None and not as_json:
        out = described.with_suffix(".html")
    found, files = _assess(described, out, store, Work(quiet=quiet or as_json))
    about = {**found.summary(), "files_written": files}
    report(about, lambda about: _print(found, files), as_json=as_json, quiet=quiet)


def _assess(
    described: Path, out: Path | None, store: Path | None, work: Work
) -> tuple["Assessment", list[str]]:
    from rocksteady.analysis.assessment import assess as run
    from rocksteady.analysis.assessment import read_assessment
    from rocksteady.cli.common.runs import when_stopped
    from rocksteady.cli.ensemble.progress import PreparationProgress
    from rocksteady.files import suffix_of

    if out is not None:
        suffix_of(out, ("html",), "a report")
        check_writable(out)
        keep_sources([out], [described])
    read = read_assessment(described)
    own = store or (read.said.store and read.folder / read.said.store)
    folder = own or _beside(out or described)
    with work, when_stopped(lambda: _kept(folder)):
        found = run(
            read,
            store=folder,
            command=_command(described, out),
            tell=PreparationProgress(work),
            working=_progress(work),
        )
        if out is not None:
            work.on(f"Writing {out.name} …")
            found.report(out)
    if folder is not None and own is None:
        shutil.rmtree(folder, ignore_errors=True)
    return found, [] if out is None else [str(out)]


def _beside(out: Path) -> Path | None:
    """Where the runs are kept until all is done; None where stores cannot be written here."""
    from rocksteady.extras import installed

    return out.with_suffix(".runs") if installed("pyarrow") else None


def _progress(work: Work) -> Callable[[str], Any]:
    """For each part of the work, what shows how far it is."""
    from rocksteady.ensembles.progress import in_words

    def begin(what: str) -> Callable[[int, int], None]:
        work.on(f"{what} …")
        words = in_words()

        def advance(done: int, total: int) -> None:
            work.progress(f"{what}: {words(done, total)}", done, total)

        return advance

    return begin


def _kept(folder: Path | None) -> str:
    if folder is None:
        return 'Nothing is kept: stores need pyarrow (pip install "rocksteady[tables]").'
    if not folder.exists():
        return "No run was finished: nothing is kept."
    return f"The runs so far are kept in {folder}: the same command resumes from there."


def _command(described: Path, out: Path | None) -> str:
    """What to type again, wherever the files were."""
    words = ["rocksteady", "assess", described.name]
    return shlex.join(words + (["--out", out.name] if out is not None else ["--json"]))


def _print(found: "Assessment", files: list[str]) -> None:
    console = output()
    console.print(Text(found.answer, "bold"), soft_wrap=True)
    for sentence in (one for one in found.warnings if one not in so_far()):  # not shown yet
        console.print(Text(sentence, "yellow"), soft_wrap=True)
    table = box_table()
    table.add_row("object", found.subtitle.removeprefix("Assessment of "))
    motions = found.motions_sentences[0]
    table.add_row("motions", motions)
    for sentence in found.beside:
        table.add_row("", sentence)
    console.print(table)
    print_files(files, console)
