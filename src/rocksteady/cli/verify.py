"""`rocksteady verify`: are these files as they were written?"""

import os
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from pathlib import Path
from typing import Annotated, Any, NamedTuple

import typer

from rocksteady.cli.common.inputs import Json, Quiet
from rocksteady.cli.common.options import new_app
from rocksteady.cli.common.output import counted, report
from rocksteady.cli.common.output import out as output
from rocksteady.digests import check, check_file
from rocksteady.ensembles.histories import check_history
from rocksteady.ensembles.store import MANIFEST, Store, part_path
from rocksteady.errors import InputError, OtherVersionError
from rocksteady.marks import ours

INTACT, DAMAGED, MISSING = "intact", "damaged", "missing"
OTHER, UNSEALED = "written by another version", "without a digest"
NOT_INTACT = 1  # exit status
FOR_PEOPLE = (".png", ".svg", ".pdf", ".gif", ".mp4", ".html", ".md")  # never read back
FOR_OTHERS = (".csv", ".xml", ".py")  # tables and scripts without remarks for this program alone
UNCHECKED = ("log.txt", "lock")  # of jobs: what they printed, and who is at work
_BY = re.compile(rb'(?:written by rocksteady |"rocksteady": ")([0-9][0-9A-Za-z.+]*)')

app = new_app()


class Verdict(NamedTuple):
    """What was found out about a file."""

    path: Path
    state: str
    words: str = ""
    version: str = ""
    """Which version wrote it, if it says so."""


@app.command()
def verify(
    paths: Annotated[
        list[Path], typer.Argument(metavar="PATH", help="Files or folders that rocksteady wrote.")
    ],
    as_json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Are stores, saved responses, logs and jobs as they were written?

    Compares each file with the digest in it, and says which is damaged or
    missing; then the exit status is 1. For stores of ensembles, responses,
    the folders of monitors and of the studio, and folders of all these:

    [cyan]rocksteady verify museum[/cyan]

    [cyan]rocksteady verify statue.nc runs[/cyan]
    """
    found = {path: list(verdicts(path)) for path in paths}
    about = {
        "paths": [
            {
                "path": str(path),
                "state": _together(every),
                "files": [one._asdict() | {"path": str(one.path)} for one in every],
            }
            for path, every in found.items()
        ]
    }
    report(about, _print, as_json=as_json, quiet=quiet)
    if any(each["state"] != INTACT for each in about["paths"]):
        raise typer.Exit(NOT_INTACT)


def _print(about: dict[str, Any]) -> None:
    console = output()
    for each in about["paths"]:
        files = each["files"]
        states = Counter(one["state"] for one in files)
        for one in files:
            if one["state"] not in (INTACT, UNSEALED) or len(files) == 1:
                console.print(one["words"] or f"{one['path']} is {one['state']}.", soft_wrap=True)
        by = ", ".join(sorted({one["version"] for one in files} - {""}))
        words = [f"{counted(n, 'file')} {state}" for state, n in states.items()]
        if len(files) > 1:
            by = f", written by rocksteady {by}" if by else ""
            console.print(f"{each['path']}: {', '.join(words)}{by}.", soft_wrap=True)


def _together(every: Iterable[Verdict]) -> str:
    """The state of a folder: that of its worst file."""
    states = {one.state for one in every}
    worst = next((state for state in (DAMAGED, MISSING, OTHER) if state in states), None)
    return worst or (INTACT if INTACT in states else UNSEALED)


# -- what is there ---------------------------------------------------------------------------------


def verdicts(path: Path) -> Iterator[Verdict]:
    """One for each file that is there, and for each that should be."""
    if not path.exists():
        raise InputError(f"There is no file or folder {path}.")
    if path.is_file():
        yield of_file(path)
    elif _has(path, MANIFEST) or (_has(path, "runs") and _has(path, "inputs")):
        yield from _of_store(path)
    elif _has(path, "request.json") or (_has(path, "state.json") and _has(path, "files.json")):
        yield from _of_job(path)
    elif any(_has(path, name) for name in ("log.jsonl", "history.jsonl", "service.jsonl")):
        yield from _of_monitor(path)
    else:
        yield from _of_all_in(path)


def _has(folder: Path, name: str) -> bool:
    """Whether something has this name, be it a link to nowhere."""
    return os.path.lexists(folder / name)


def _of_all_in(folder: Path, leave_out: Iterable[str] = ()) -> Iterator[Verdict]:
    for inner in sorted(folder.iterdir()):
        if not inner.name.startswith(".") and inner.name not in {*leave_out, *UNCHECKED}:
            yield from verdicts(inner)


def of_file(path: Path, *, sealed: bool = False) -> Verdict:
    """One file by its own digest, or by those of its lines. ``sealed``: it surely had one."""
    look = _check_lines if path.suffix == ".jsonl" else check_file
    return _tried(path, lambda: look(path), sealed=sealed)


def _tried(path: Path, look: Callable[[], Any], *, sealed: bool = False) -> Verdict:
    try:
        look()
    except OtherVersionError as error:
        if sealed:
            return Verdict(path, DAMAGED, str(error))
        if path.stat().st_size and not ours(path):
            return Verdict(path, UNSEALED, f"{path} has no digest: rocksteady did not write it.")
        if path.suffix.lower() in FOR_PEOPLE:
            words = f"{path} has no digest: figures, films and reports carry none."
            return Verdict(path, UNSEALED, words)
        if path.suffix.lower() in FOR_OTHERS and not _readable_back(path):
            words = f"{path} has no digest: tables for spreadsheets and scripts carry none."
            return Verdict(path, UNSEALED, words)
        return Verdict(path, OTHER, str(error))
    except InputError as error:
        return Verdict(path, DAMAGED if path.exists() else MISSING, str(error))
    except OSError as error:
        return Verdict(path, DAMAGED, f"{path} cannot be read: {error.strerror or error}.")
    return Verdict(path, INTACT, version=_version(path))


def _readable_back(path: Path) -> bool:
    """Whether it is a motion or a response, whose text says who wrote it before the table."""
    with path.open("rb") as file:
        return path.suffix.lower() == ".csv" and file.read(1) == b"#"


def _check_lines(path: Path) -> None:
    with path.open("rb") as file:
        for number, line in enumerate(file, 1):
            check(line, f"{path}, line {number},")


def _version(path: Path) -> str:
    if not path.is_file():
        return ""
    with path.open("rb") as file:
        head = file.read(1 << 16)
        file.seek(max(file.seek(0, 2) - (1 << 16), 0))
        match = _BY.search(head) or _BY.search(file.read())
    return match[1].decode() if match else ""


def _of_store(folder: Path) -> Iterator[Verdict]:
    """Also what is missing, and what belongs to another study."""
    tables = sorted(folder.glob("inputs/*.parquet"))
    found = [of_file(folder / MANIFEST)]
    found += [of_file(path, sealed=True) for path in tables]
    yield from found
    histories = set(folder.glob("histories/[0-9]*.nc"))
    try:
        store = Store.open(folder)
    except InputError as error:
        if all(one.state == INTACT for one in found):  # the reason was not said: a missing table
            yield Verdict(folder / "inputs", MISSING, str(error))
        results = [*sorted(histories), *sorted(folder.glob("runs/*.parquet"))]
        yield from (of_file(path, sealed=True) for path in results)
        return
    listed = {folder / "histories" / name: written for name, written in store.histories.items()}
    for path, written in listed.items():
        yield _tried(path, partial(check_history, path, written), sealed=True)
    yield from (of_file(path, sealed=True) for path in sorted(histories - {*listed}))
    for part in store.plan:
        yield _tried(part_path(folder, part), partial(store.check_part, part))


def _of_job(folder: Path) -> Iterator[Verdict]:
    """Also whether partial results are missing, the files for downloads and the motions."""
    from rocksteady.studio.jobs.store import announced_in, check_file_of, check_partials, files_of

    needed = [folder / name for name in ("request.json", "state.json")]
    if _is_done(folder):
        needed += [folder / name for name in ("result.json", "files.json")]
    for path in sorted({*folder.glob("*.json"), *needed}):
        yield of_file(path, sealed=True)
    partials = folder / "partials.jsonl"
    if partials.exists() or announced_in(folder):
        yield _tried(partials, partial(check_partials, folder), sealed=True)
    if (folder / "motions.jsonl").exists():
        yield of_file(folder / "motions.jsonl", sealed=True)
    try:
        names = files_of(folder)
    except InputError:  # which was said
        names = {}
    for name in names:
        yield _tried(folder / "files" / name, partial(check_file_of, folder, name))
    if (folder / "runs").is_dir():
        yield from verdicts(folder / "runs")


def _is_done(folder: Path) -> bool:
    """Whether a job says that it is done, or has a result."""
    if _has(folder, "result.json"):
        return True
    try:
        return b'"state":"done"' in (folder / "state.json").read_bytes()
    except OSError:
        return False


def _of_monitor(folder: Path) -> Iterator[Verdict]:
    """Also lines and whole files that are missing."""
    from rocksteady.monitor.verify import problems

    said = [words if str(folder) in words else f"{folder}/{words}" for words in problems(folder)]
    for path in sorted([*folder.glob("*.json"), *folder.glob("*.jsonl")]):
        about = [words for words in said if re.search(rf"/{re.escape(path.name)}\b", words)]
        said = [words for words in said if words not in about]
        yield Verdict(path, DAMAGED if about else INTACT, " ".join(about), _version(path))
    yield from (Verdict(folder, MISSING, words) for words in said)
