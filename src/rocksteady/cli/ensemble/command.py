"""`rocksteady ensemble`: a whole study from a file."""

import time
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

import rocksteady as rs
from rocksteady.cli.common.files import check_writable, keep_sources
from rocksteady.cli.common.inputs import Json, Quiet, grouped
from rocksteady.cli.common.options import new_app, out_option, panel, result
from rocksteady.cli.common.output import report
from rocksteady.cli.common.progress import Work
from rocksteady.errors import InputError

if TYPE_CHECKING:
    from rocksteady.ensembles.study_file import ReadStudy

app = new_app()

_instead = panel("Instead of what the file says")


@dataclass(frozen=True)
class OutOptions:
    """The files to write."""

    files: Annotated[
        list[Path] | None,
        out_option(
            "Figure: .png .svg .pdf; or the shares that fall as a table: .csv, or .md for a "
            "report. May be repeated.",
            metavar="FILE",
        ),
    ] = None
    runs: Annotated[
        list[Path] | None,
        result(
            "Write a table with a row for each run: .csv or .parquet. Assemblies are described in "
            "a .systems.json beside it. May be repeated.",
            metavar="FILE",
        ),
    ] = None

    @property
    def all(self) -> list[Path]:
        return [*(self.files or ()), *(self.runs or ())]

    @property
    def beside(self) -> list[Path]:
        """Where the bodies are described, if they are too long for a row of a run."""
        from rocksteady.ensembles.runs_table import beside

        return [beside(path) for path in self.runs or ()]

    def check(self) -> None:
        """Refuse what cannot be written: before the work, not after it."""
        from rocksteady.analysis.shares.table import TABLES
        from rocksteady.ensembles.runs_table import checked_suffix
        from rocksteady.view import style

        files, runs = self.files or (), self.runs or ()
        for path in runs:
            checked_suffix(path)
            if path in files:
                raise InputError(
                    f"--out {path} and --runs {path} are the same file: give two names."
                )
        for path in files:
            style.suffix_of(path, (*style.FORMATS, *TABLES), "a figure or table")
        for path in self.all:
            check_writable(path)

    @property
    def has_tables(self) -> bool:
        """Whether a table of shares is among them."""
        return any(_is_table(path) for path in self.files or ())

    def write(self, data: Any, runs: Any, title: str, work: Work) -> list[str]:
        """Write them; ``runs``: the results again, or the store to read them from by parts."""
        from rocksteady.ensembles.runs_table import runs_files

        written = list(self.files or ())
        for path in self.files or ():
            work.on(f"Writing {path.name} …")
            (rs.write_ensemble_table if _is_table(path) else rs.plot_ensemble)(data, path, title)
        for path in self.runs or ():
            rs.write_ensemble_runs(runs, path, work.on(f"Writing {path.name} …"))
            written += runs_files(runs, path)
        return [str(path) for path in written]


NOTHING = OutOptions()


def _is_table(path: Path) -> bool:
    from rocksteady.analysis.shares.table import TABLES

    return path.suffix.lower().removeprefix(".") in TABLES


@app.command()
@grouped
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
    store: Annotated[Path | None, _instead("Folder for the results.")] = None,
    backend: Annotated[str | None, _instead("cpu, or cuda: a GPU.")] = None,
    executor: Annotated[
        str | None, _instead("Scheduler of a Dask cluster: tcp://…", metavar="ADDRESS")
    ] = None,
    outputs: OutOptions = NOTHING,
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
        _status(folder, outputs, as_json, quiet)
    elif folder is not None:
        raise InputError(
            f"{folder} is one word too many: give one study file, or status and a folder."
        )
    else:
        changes = {"store": store and store.resolve(), "backend": backend}
        given = {name: value for name, value in changes.items() if value is not None}
        _run(study, given, executor, outputs, as_json, quiet)


def _run(
    path: str,
    changes: dict[str, Any],
    executor: str | None,
    outputs: OutOptions,
    as_json: bool,
    quiet: bool,
) -> None:
    from rocksteady.cli.common.runs import kept_runs, when_stopped
    from rocksteady.cli.ensemble.progress import RunProgress
    from rocksteady.cli.ensemble.tables import of_run, print_run
    from rocksteady.ensembles.api import run_study
    from rocksteady.ensembles.store import Store

    _refuse_a_store(path)
    outputs.check()
    with Work(quiet=quiet or as_json) as work:
        read = _read(path, changes, outputs, work)
        progress, start = RunProgress(work), time.monotonic()
        work.on("Preparing the runs …")
        with when_stopped(lambda: kept_runs(read.store)):
            data = run_study(
                read.study,
                keep=read.run.keep,
                executor=executor,
                store=read.store,
                progress=progress,
                notes=read.notes,
            )
            seconds = time.monotonic() - start
            store = None if read.store is None else Store.open(read.store)
            runs = data if store is None else store.folder
            written = outputs.write(data, runs, read.notes["name"], work)
        about = of_run(read, data, store, progress, seconds, written)
    report(about, print_run, as_json=as_json, quiet=quiet)


def _read(path: str, changes: dict[str, Any], outputs: OutOptions, work: Work) -> "ReadStudy":
    """The study, and what it is about in a line or two."""
    from rocksteady.analysis.shares.table import refuse_paired
    from rocksteady.cli.common.runs import when_stopped
    from rocksteady.cli.ensemble.progress import PreparationProgress, print_skipped, print_study
    from rocksteady.ensembles.study_file import read_study

    work.on("Reading the study …")
    with when_stopped(lambda: "The study was still being read: nothing was run."):
        read = read_study(path, tell=PreparationProgress(work), **changes)
    keep_sources([*outputs.all, *outputs.beside], [path, *read.files])
    if outputs.has_tables:
        refuse_paired(read.study.paired)
    if not work.quiet:
        print_study(read, work.console)
        print_skipped(read.study.skipped, work.console)
    return read


def _refuse_a_store(path: str) -> None:
    if (Path(path) / "manifest.json").is_file():
        raise InputError(
            f"{path} is a store, not a study file: rocksteady ensemble status {path} says how far "
            f"it is, and rs.open_ensemble({path!r}) opens it in Python."
        )


def _status(folder: Path | None, outputs: OutOptions, as_json: bool, quiet: bool) -> None:
    from rocksteady.analysis.shares.summary import of_store
    from rocksteady.cli.ensemble.tables import print_status
    from rocksteady.ensembles.store import Store

    if folder is None:
        raise InputError("Which store? Give its folder, as in rocksteady ensemble status museum.")
    if not folder.exists():
        raise InputError(
            f"{folder} is not an ensemble store: there is no such folder. The store is the folder "
            "that the study file names; it is made when the runs begin."
        )
    outputs.check()
    keep_sources([*outputs.all, *outputs.beside])
    about = of_store(Store.open(folder))
    if outputs.all:
        with Work(quiet=quiet or as_json) as work:
            data = rs.open_ensemble(folder) if outputs.files else None
            about["files"] = outputs.write(data, folder, about["name"], work)
    report(about, print_status, as_json=as_json, quiet=quiet)
