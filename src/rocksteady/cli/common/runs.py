"""Options of commands that make many runs, and what they say when they are stopped."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

from rocksteady.cli.common.options import panel
from rocksteady.cli.common.output import say

_runs = panel("Where to run it, and where to keep the runs")
Backend = Annotated[str, _runs("cpu, or cuda: a GPU.", "--backend")]
Store = Annotated[
    Path | None,
    _runs("Keep the runs here: if stopped, the same command resumes.", metavar="FOLDER"),
]


@dataclass(frozen=True)
class RunOptions:
    """Where many runs are made and kept."""

    store: Store = None
    executor: Annotated[
        str | None, _runs("Scheduler of a Dask cluster: tcp://…", metavar="ADDRESS")
    ] = None


HERE = RunOptions()  # on this machine, and nothing is kept


@contextmanager
def when_stopped(consequence: Callable[[], str]) -> Iterator[None]:
    """When stopped by hand, say what that means."""
    try:
        yield
    except KeyboardInterrupt:
        say(consequence(), look="yellow")
        raise


def kept_runs(store: Path | None) -> str:
    """How many runs are safe at this moment, and how to go on."""
    from rocksteady.ensembles.progress import spaced
    from rocksteady.ensembles.store import MANIFEST, Store

    if store is None:
        return "Nothing is kept, because the study has no store: name one with --store."
    rounds = sorted(store.glob(f"round-*/{MANIFEST}"))
    if rounds:  # of a map that is refined
        done = sum(Store.open(path.parent).done() for path in rounds)
        return f"{spaced(done)} runs are kept in {store}: the same command resumes from there."
    if not (store / MANIFEST).is_file():
        return f"No run was finished: there is no store {store} yet, and nothing is kept."
    found = Store.open(store)
    done, total = found.done(), found.plan.runs
    if done == total:
        return f"All {spaced(done)} runs are kept in {store}."
    kept = f"{spaced(done)} of {spaced(total)} runs are kept in {store}"
    return f"{kept}: the same command resumes from there."
