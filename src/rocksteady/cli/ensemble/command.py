"""`rocksteady ensemble`: a whole study from a file."""

from __future__ import annotations

import time
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from rocksteady.cli.common.files import check_writable, keep_sources
from rocksteady.cli.common.inputs import RESULTS, Json, Quiet
from rocksteady.errors import InputError

if TYPE_CHECKING:
    from rocksteady.cli.common.progress import Work
    from rocksteady.ensembles.study_file import ReadStudy

app = typer.Typer(add_completion=False, rich_markup_mode="rich")

_RUN: dict[str, Any] = {"rich_help_panel": "Instead of what the file says"}


@app.command()
def ensemble(
    study: Annotated[
        str | None,
        typer.Argument(metavar="STUDY.toml|status", help="The study file; or the word status."),
    ] = None,
    folder: Annotated[
        Path | None, typer.Argument(metavar="FOLDER", help="After status: the store.")
    ] = None,
    example: Annotated[
        bool, typer.Option("--example", help="Print a study file that runs in seconds.")
    ] = False,
    store: Annotated[
        Path | None, typer.Option("--store", help="Folder for the results.", **_RUN)
    ] = None,
    backend: Annotated[
        str | None, typer.Option("--backend", help="cpu, or cuda: a GPU.", **_RUN)
    ] = None,
    executor: Annotated[
        str | None,
        typer.Option(
            "--executor", metavar="ADDRESS", help="Scheduler of a Dask cluster: tcp://…", **_RUN
        ),
    ] = None,
    files: Annotated[
        list[Path] | None,
        typer.Option(
            "--out",
            "-o",
            metavar="FILE",
            help="Figure: .png .svg .pdf; or the shares that fall as a table: .csv, or .md for a "
            "report. May be repeated.",
            **RESULTS,
        ),
    ] = None,
    runs: Annotated[
        list[Path] | None,
        typer.Option(
            "--runs",
            metavar="FILE",
            help="Write a table with a row for each run: .csv or .parquet. May be repeated.",
            **RESULTS,
        ),
    ] = None,
    as_json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Run a whole study: systems × motions × scales, on all cores, a GPU or a cluster.

    \b
    A first study, in seconds:
      [cyan]rocksteady ensemble --example > study.toml[/cyan]
      [cyan]rocksteady ensemble study.toml[/cyan]
    With a figure: how often each body falls, and how far the others lean:
      [cyan]rocksteady ensemble study.toml -o museum.png[/cyan]
    The same as a table for a report, for a study that is already done:
      [cyan]rocksteady ensemble status museum -o museum.md[/cyan]
    A row for each run, for R or a spreadsheet:
      [cyan]rocksteady ensemble status museum --runs runs.csv[/cyan]
    Progress, from another terminal:
      [cyan]rocksteady ensemble status museum[/cyan]

    If it is stopped or killed, the same command resumes where it was.
    """
    if example:
        from rocksteady.ensembles.study_file import example as text

        typer.echo(text(), nl=False)
    elif study is None:
        raise InputError(
            "Give a study file, as in rocksteady ensemble study.toml; --example prints one."
        )
    elif study == "status":
        _status(folder, files or [], runs or [], as_json, quiet)
    elif folder is not None:
        raise InputError(
            f"{folder} is one word too many: give one study file, or status and a folder."
        )
    else:
        changes = {"store": store and store.resolve(), "backend": backend, "executor": executor}
        given = {name: value for name, value in changes.items() if value is not None}
        _run(study, given, files or [], runs or [], as_json, quiet)


def _run(
    path: str,
    changes: dict[str, Any],
    files: list[Path],
    runs: list[Path],
    as_json: bool,
    quiet: bool,
) -> None:
    from rocksteady.cli.common.output import print_json
    from rocksteady.cli.common.progress import Work, follow_engine
    from rocksteady.cli.common.runs import say_what_is_kept, when_stopped
    from rocksteady.cli.ensemble import progress as report
    from rocksteady.cli.ensemble import show
    from rocksteady.ensembles.api import run_study
    from rocksteady.ensembles.store import Store
    from rocksteady.ensembles.study_file import read_study

    _refuse_a_store(path)
    _check_files(files, runs)
    follow_engine()
    with Work(quiet=quiet or as_json) as work:
        work.on("Reading the study …")
        with when_stopped(report.say_nothing_was_run):
            read = read_study(path, tell=report.PreparationProgress(work), **changes)
        keep_sources([*files, *runs], [path, *_files_of(read)])
        if any(_is_table(file) for file in files):
            from rocksteady.analysis.shares.table import refuse_paired

            refuse_paired(read.study.paired)
        if not quiet and not as_json:
            report.say_what(read, work.console)
            report.say_what_was_left_out(read.study.skipped, read.study.verticals, work.console)
        progress, start = report.RunProgress(work, quiet or as_json), time.monotonic()
        work.on("Preparing the runs …")
        with when_stopped(lambda: say_what_is_kept(read.store)):
            data = run_study(
                read.study,
                keep=read.run.keep,
                executor=read.run.executor,
                store=read.store,
                progress=progress,
                notes=read.notes,
            )
        seconds = time.monotonic() - start
        kept = None if read.store is None else Store.open(read.store)
        with when_stopped(lambda: say_what_is_kept(read.store)):
            written = _written(data, files, read.notes["name"], work)
            written += _written_runs(data if kept is None else kept.folder, runs, work)
        about = show.of_run(read, data, kept, progress, seconds, written)
    if as_json:
        print_json(about)
    elif not quiet:
        show.print_run(about)


def _refuse_a_store(path: str) -> None:
    if (Path(path) / "manifest.json").is_file():
        raise InputError(
            f"{path} is a store, not a study file: rocksteady ensemble status {path} says how far "
            f"it is, and rs.open_ensemble({path!r}) opens it in Python."
        )


def _check_files(files: list[Path], runs: list[Path]) -> None:
    """Before the work, not after it."""
    for path in runs:
        from rocksteady.ensembles.runs_table import checked_suffix

        checked_suffix(path)
        check_writable(path)
        if path in files:
            raise InputError(f"--out {path} and --runs {path} are the same file: give two names.")
    for path in files:
        from rocksteady.analysis.shares.table import TABLES
        from rocksteady.view import style

        style.suffix_of(path, (*style.FORMATS, *TABLES), "a figure or table")
        check_writable(path)


def _files_of(read: ReadStudy) -> list[Path]:
    """What a study reads: a table of systems, records."""
    import tomllib

    from rocksteady.motion.catalogue import files_in

    file = tomllib.loads(read.notes["file"])
    named = [file["systems"].get("table")]
    for source in file["motions"]:
        named += [source.get("file"), source.get("stochastic", {}).get("like")]
        named += files_in(read.folder / source["folder"]) if "folder" in source else []
    return [read.folder / name for name in named if name is not None]


def _is_table(path: Path) -> bool:
    from rocksteady.analysis.shares.table import TABLES

    return path.suffix.lower().removeprefix(".") in TABLES


def _written(data: Any, files: list[Path], title: str, work: Work) -> list[str]:
    """The files written."""
    for path in files:
        work.on(f"Writing {path.name} …")
        if _is_table(path):
            from rocksteady.analysis.shares.table import write_ensemble_table

            write_ensemble_table(data, path, title)
        else:
            from rocksteady.view.ensemble.figure import plot_ensemble

            plot_ensemble(data, path, title)
    return [str(path) for path in files]


def _written_runs(data: Any, runs: list[Path], work: Work) -> list[str]:
    """The tables of all runs, from the results or, a part at a time, from their store."""
    for path in runs:
        from rocksteady.ensembles.runs_table import write_ensemble_runs

        write_ensemble_runs(data, path, work.on(f"Writing {path.name} …"))
    return [str(path) for path in runs]


def _status(
    folder: Path | None, files: list[Path], runs: list[Path], as_json: bool, quiet: bool
) -> None:
    from rocksteady.analysis.shares.summary import of_store
    from rocksteady.cli.common.output import print_json
    from rocksteady.cli.common.progress import Work
    from rocksteady.cli.ensemble import show
    from rocksteady.ensembles.dataset import open_ensemble
    from rocksteady.ensembles.store import Store

    if folder is None:
        raise InputError("Which store? Give its folder, as in rocksteady ensemble status museum.")
    if not folder.exists():
        raise InputError(
            f"{folder} is no store: there is no such folder. The store is the one "
            "that the study names, and is made when its runs begin."
        )
    _check_files(files, runs)
    keep_sources([*files, *runs])
    about = of_store(Store.open(folder))
    if files or runs:
        with Work(quiet=quiet or as_json) as work:
            data = open_ensemble(folder) if files else None
            about["files"] = _written(data, files, about["name"], work)
            about["files"] += _written_runs(folder, runs, work)
    if as_json:
        print_json(about)
    elif not quiet:
        show.print_status(about)
