"""Options of commands that make many runs, and what they say when they are stopped."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

from rocksteady.cli.common.options import panel
from rocksteady.cli.common.output import say

_runs = panel("Where to run it, and where to keep the runs")
Backend = Annotated[str, _runs("cpu, or cuda: a GPU.", "--backend")]


@dataclass(frozen=True)
class RunOptions:
    """Where many runs are made and kept."""

    store: Annotated[
        Path | None,
        _runs("Keep the runs here: if stopped, the same command resumes.", metavar="FOLDER"),
    ] = None
    executor: Annotated[
        str | None, _runs("Scheduler of a Dask cluster: tcp://…", metavar="ADDRESS")
    ] = None


HERE = RunOptions()  # on this machine, and nothing is kept


@contextmanager
def when_stopped(say_it: Callable[[], None]) -> Iterator[None]:
    """When stopped by hand, say what that means."""
    try:
        yield
    except KeyboardInterrupt:
        say_it()
        raise


def say_what_is_kept(store: Path | None) -> None:
    """How many runs are safe at this moment, and how to go on."""
    from rocksteady.ensembles.progress import spaced
    from rocksteady.ensembles.store import MANIFEST, Store

    if store is None:
        text = "Nothing is kept, because the study has no store: name one with --store."
    elif not (store / MANIFEST).is_file():
        text = f"No run was finished: there is no store {store} yet, and nothing is kept."
    else:
        found = Store.open(store)
        done, total = found.done(), found.plan.runs
        text = f"{spaced(done)} of {spaced(total)} runs are kept in {store}: "
        text += "the same command resumes from there."
        if done == total:
            text = f"All {spaced(done)} runs are kept in {store}."
    say(text, look="yellow")
