"""Run what is asked for, item after item, and keep the figures, tables and verdicts on disk.

What is done is written at once: a run that was stopped goes on with ``resume``.
"""

import hashlib
import json
import os
import shutil
import time
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cache
from itertools import chain
from pathlib import Path
from typing import Any, get_args

import rocksteady
from rocksteady.digests import checked_json, digest, sealed, sealed_json
from rocksteady.errors import InputError
from rocksteady.files import write_whole
from rocksteady.marks import mark, sealed_mark
from rocksteady.names import csv_text
from rocksteady.reproduce import PAPERS, paper
from rocksteady.reproduce.markdown import as_markdown
from rocksteady.reproduce.verdict import CLASSES, Class, Effort, Item, Level, Paper, Result, claim
from rocksteady.version import environment
from rocksteady.view import style

LEVELS = get_args(Level)
Row = dict[str, Any]
Watch = Callable[[str, int, int], Callable[[int, int], Any]]
"""Told which item begins, its number and how many there are; returns whom the item tells."""


@dataclass(frozen=True)
class Done:
    """One item after it ran."""

    paper: str
    item: str
    title: str
    verdicts: tuple[Row, ...]
    note: str
    seconds: float
    files: tuple[str, ...]

    @property
    def passed(self) -> bool:
        """Whether none of its rows fails."""
        return all(row["verdict"] != "fails" for row in self.verdicts)


@dataclass(frozen=True)
class Report:
    """What came of it."""

    done: tuple[Done, ...]
    level: str

    @property
    def passed(self) -> bool:
        """Whether no row fails."""
        return all(item.passed for item in self.done)

    @property
    def counts(self) -> dict[Class, int]:
        """How many rows there are of each class."""
        found = Counter(row["verdict"] for row in self.rows)
        return {name: found[name] for name in CLASSES}

    @property
    def rows(self) -> list[Row]:
        """Every verdict, with its paper and item."""
        return [
            {"paper of": item.paper, "item": item.item, **row}
            for item in self.done
            for row in item.verdicts
        ]

    def write(self, out: Path) -> list[Path]:
        """The verdicts of all items as CSV, JSON and Markdown."""
        rows = self.rows
        facts = {
            "comment": sealed_mark(),
            "environment": environment(),
            "effort": self.level,
            "passed": self.passed,
            "counts": self.counts,
            "verdicts": rows,
        }
        table = {name: [row[name] for row in rows] for name in rows[0]}
        return [
            write_table(out / "verdicts.csv", table),
            write_whole(out / "verdicts.json", sealed(_as_json(facts).encode())),
            write_whole(out / "verdicts.md", f"{as_markdown(self)}\n\n<!-- {mark()} -->\n"),
        ]


def reproduce(
    names: Sequence[str],
    out: str | Path,
    *,
    figures: Sequence[str] = (),
    level: Level = "usual",
    resume: bool = False,
    records: str | Path | None = None,
    watch: Watch | None = None,
) -> Report:
    """Regenerate the papers ``names`` into the folder ``out``.

    The report is of what was asked for; the verdicts on disk keep those of other items that an
    earlier run with the same program and level has left there.

    Parameters
    ----------
    names
        Keys of `rocksteady.reproduce.PAPERS`, or ``"all"``.
    out
        Folder for a subfolder per paper (figures and tables) and the verdicts.
    figures
        Only these: "9", "table 2"; all unless given.
    level
        ``"quick"``, ``"usual"`` or ``"full"``.
    resume
        Keep what an earlier run with the same program and level has left in ``out``.
    records
        A folder with recorded motions of a paper; without them generated ones stand in.
    watch
        Told what is being done.
    """
    if level not in LEVELS:
        raise InputError(f"level = {level!r} is not known: choose from {', '.join(LEVELS)}.")
    chosen = _chosen(names, figures)
    place = _folder_of_records(records, [item for _, item in chosen])
    done = []
    for i, (book, item) in enumerate(chosen):
        folder = Path(out) / book.key
        stamp = _stamp(level, item, place)
        found = _earlier(folder, item, stamp) if resume else None
        if found is None:
            effort = Effort(level, unfinished=folder / f".{item.key}-{stamp}", records=place)
            if watch is not None:
                tell = watch(f"{book.key}, {item.name}", i, len(chosen))
                effort = replace(effort, progress=tell)
            found = _run(book, item, effort, folder)
        done.append(found)
    Report(_with_others(done, Path(out), level, place), level).write(Path(out))
    return Report(tuple(done), level)


def files_of(names: Sequence[str], out: str | Path, figures: Sequence[str] = ()) -> list[Path]:
    """The files that `reproduce` writes: of each item the figure first."""
    verdicts = [Path(out) / f"verdicts{suffix}" for suffix in (".csv", ".json", ".md")]
    stems = [Path(out) / book.key / item.key for book, item in _chosen(names, figures)]
    kinds = (".png", ".svg", ".csv", ".json")
    return verdicts + [stem.with_suffix(kind) for stem in stems for kind in kinds]


def _chosen(names: Sequence[str], figures: Sequence[str]) -> list[tuple[Paper, Item]]:
    wanted = list(PAPERS) if "all" in names or not names else list(dict.fromkeys(names))
    books = [paper(name) for name in wanted]
    chosen = [(book, item) for book in books for item in book.chosen(figures)]
    if not chosen:
        have = [f"{book.key} has {', '.join(item.name for item in book.items)}" for book in books]
        raise InputError(f"There is no {' or '.join(figures)}: {'; '.join(have)}.")
    return chosen


def _folder_of_records(records: str | Path | None, items: Sequence[Item]) -> Path | None:
    """The folder of recorded motions; an error if there is none, if no item takes them, or if it
    has none that they take."""
    if records is None:
        return None
    place = Path(records)
    if not place.is_dir():
        raise InputError(f"There is no folder {place}: give a folder with recorded motions.")
    readers = {item.recorded for item in items if item.recorded is not None}
    if not readers:
        raise InputError(
            f"records = {str(records)!r} is not used: of the items chosen none takes recorded "
            "motions. Figs. 11 to 13 and the map of casalotti2025 do."
        )
    for read in readers:
        read(place)
    return place


def _with_others(
    done: list[Done], out: Path, level: Level, records: Path | None
) -> tuple[Done, ...]:
    """What was done now and what an earlier run left of other items, in the papers' order."""
    now = {(item.paper, item.item): item for item in done}
    both = []
    for key in PAPERS:
        if not (out / key).is_dir():  # nothing of it was made
            both += [item for item in done if item.paper == key]
            continue
        for item in paper(key).items:
            found = now.get((key, item.name)) or _earlier(
                out / key, item, _stamp(level, item, records)
            )
            both += [found] if found is not None else []
    return tuple(both)


def _run(book: Paper, item: Item, effort: Effort, folder: Path) -> Done:
    begin = time.perf_counter()
    try:
        result = item.run(effort)
    except Exception as error:
        if os.environ.get("ROCKSTEADY_DEBUG", "0") not in ("", "0"):
            raise
        # one item that breaks must not cost the others, and must not go unseen
        words = f"{type(error).__name__}: {error}"
        broken = claim("computed at all", "yes", "no", False).tried(f"The item broke: {words}")
        return Done(book.key, item.name, item.title, (broken.row(),), "", 0.0, ())
    files = _keep(result, folder / item.key)
    rows = tuple(verdict.row() for verdict in result.verdicts)
    seconds = round(time.perf_counter() - begin, 2)
    done = Done(book.key, item.name, item.title, rows, result.note, seconds, files)
    if effort.unfinished is not None:
        for left in folder.glob(f".{item.key}-*"):  # of other programs and levels, too
            shutil.rmtree(left, ignore_errors=True)
    digests = {name: _digest(folder.parent / name) for name in files}
    stamp = _stamp(effort.level, item, effort.records)
    kept = {"comment": mark(), "stamp": stamp, "done": vars(done)}
    text = sealed_json({**kept, "digests": digests}, indent=1, ensure_ascii=False)
    write_whole(folder / f"{item.key}.json", text)
    return done


def _digest(path: Path) -> str | None:
    """That of a file's content; None if there is no such file."""
    return digest(path.read_bytes()) if path.is_file() else None


def _keep(result: Result, stem: Path) -> tuple[str, ...]:
    for suffix in (".png", ".svg"):
        style.save_figure(result.figure, stem.with_suffix(suffix))
    write_table(stem.with_suffix(".csv"), result.table)
    return tuple(f"{stem.parent.name}/{stem.name}{suffix}" for suffix in (".png", ".svg", ".csv"))


def _earlier(folder: Path, item: Item, stamp: str) -> Done | None:
    path = folder / f"{item.key}.json"
    try:
        kept = checked_json(path.read_bytes(), path)
    except (OSError, InputError):  # it was not done, or is made again
        return None
    kept.pop("comment", None)
    if kept.pop("stamp", None) != stamp:
        return None
    done, digests = Done(**kept["done"]), kept["digests"]
    if any(_digest(folder.parent / name) != digests.get(name) for name in done.files):
        return None
    return replace(done, verdicts=tuple(done.verdicts), files=tuple(done.files))


def _stamp(level: Level, item: Item, records: Path | None) -> str:
    """What a result depends on: effort, program, and the records of an item that takes them."""
    stamp = f"{level}-{_sources()}"
    if records is None or item.recorded is None:
        return stamp
    files = sorted(path for path in records.rglob("*") if path.is_file())
    facts = [(str(path.resolve()), path.stat().st_size, path.stat().st_mtime_ns) for path in files]
    return f"{stamp}-{hashlib.sha256(repr(facts).encode()).hexdigest()[:12]}"


@cache
def _sources() -> str:
    """A short name for the program as it is: another one's results are not resumed."""
    total = hashlib.sha256()
    root = Path(rocksteady.__file__).parent
    for path in sorted(root.rglob("*.py")):
        total.update(path.relative_to(root).as_posix().encode() + path.read_bytes())
    return total.hexdigest()[:16]


# -- files -----------------------------------------------------------------------------------------


def write_table(path: Path, table: Any) -> Path:
    """Columns by name, as comma-separated values."""
    rows = zip(*table.values(), strict=True)
    cells = chain([table], ([_cell(value) for value in row] for row in rows))
    return write_whole(path, csv_text(cells, "\r\n"))


def _as_json(facts: Any) -> str:
    return json.dumps(facts, indent=1, ensure_ascii=False) + "\n"


def _cell(value: Any) -> Any:
    return f"{value:.10g}" if isinstance(value, float) else "" if value is None else value
