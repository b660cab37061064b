"""`rocksteady ensemble`: a whole study from a file."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Annotated, Any

import typer

from rocksteady.cli.inputs import Json, Quiet
from rocksteady.errors import InputError

app = typer.Typer(add_completion=False, rich_markup_mode="rich")

_RUN: dict[str, Any] = {"rich_help_panel": "In the place of what the file says"}


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
    as_json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Run a whole study: systems × motions × scales, on all cores, a GPU or a cluster.

    \b
    A first study, in seconds:
      [cyan]rocksteady ensemble --example > study.toml[/cyan]
      [cyan]rocksteady ensemble study.toml[/cyan]
    How far is it? (From another terminal; it works on.)
      [cyan]rocksteady ensemble status museum[/cyan]

    Stopped or killed at any moment, the same command goes on where it was.
    """
    if example:
        from rocksteady.ensembles.study_file import example as text

        typer.echo(text(), nl=False)
    elif study is None:
        raise InputError(
            "Give a study file, as in rocksteady ensemble study.toml; --example prints one."
        )
    elif study == "status":
        _status(folder, as_json, quiet)
    elif folder is not None:
        raise InputError(
            f"{folder} is one word too many: give one study file, or status and a folder."
        )
    else:
        changes = {"store": store and store.resolve(), "backend": backend, "executor": executor}
        given = {name: value for name, value in changes.items() if value is not None}
        _run(study, given, as_json, quiet)


def _run(path: str, changes: dict[str, Any], as_json: bool, quiet: bool) -> None:
    from rocksteady.cli import ensemble_show as show
    from rocksteady.cli.progress import Work, follow_engine
    from rocksteady.ensembles.api import run_study
    from rocksteady.ensembles.store import Store
    from rocksteady.ensembles.study_file import read_study

    follow_engine()
    with Work(quiet=quiet or as_json) as work:
        work.on("Reading the study …")
        read = read_study(path, **changes)
        if not quiet and not as_json:
            show.say_what(read, work.console)
        tell, start = show.Teller(work, quiet or as_json), time.monotonic()
        try:
            data = run_study(
                read.study,
                keep=read.run.keep,
                executor=read.run.executor,
                store=read.store,
                progress=tell,
                notes=read.notes,
            )
        except KeyboardInterrupt:
            show.say_how_to_go_on(read.store)
            raise
        seconds = time.monotonic() - start
        kept = None if read.store is None else Store.open(read.store)
        about = show.of_run(read, data, kept, tell, seconds)
    if as_json:
        show.print_json(about)
    elif not quiet:
        show.print_run(about)


def _status(folder: Path | None, as_json: bool, quiet: bool) -> None:
    from rocksteady.cli import ensemble_show as show
    from rocksteady.ensembles.store import Store
    from rocksteady.ensembles.summary import of_store

    if folder is None:
        raise InputError("Which store? Give its folder, as in rocksteady ensemble status museum.")
    about = of_store(Store.open(folder))
    if as_json:
        show.print_json(about)
    elif not quiet:
        show.print_status(about)
