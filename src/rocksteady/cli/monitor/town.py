"""`rocksteady monitor --config`: many buildings in one process."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from rocksteady.cli.monitor.options import GRACE, Stop

if TYPE_CHECKING:
    from rocksteady.monitor.town import Watchmen


def watch_town(path: Path, *, as_json: bool, quiet: bool) -> None:
    """Watch until every source has ended, or until Ctrl-C or SIGTERM."""
    from rocksteady.cli.common.output import say
    from rocksteady.cli.monitor.view import View
    from rocksteady.monitor.config import read_town
    from rocksteady.monitor.outcome import worst
    from rocksteady.monitor.town import Watchmen

    town = read_town(path)
    stop = Stop()
    with stop.heard():
        _warm_up(town, quiet)
        watchmen = Watchmen(town, stop.asked, sys.stdin.fileno())
        for name, why in watchmen.refused.items():
            say(f"{name} is not watched: {why}", label="Error: ")
        if not quiet:
            say(f"Watching {len(watchmen.watches)} buildings; logs in {town.logs}.", look="dim")
        with View(watchmen.watches, quiet=quiet) as view:
            told: dict[str, str] = {}

            def show() -> None:
                _tell_unopened(watchmen, told)
                view.show()

            watchmen.run(view.tell, show)
        watchmen.close(GRACE if stop.signal else _longest(town) + 1)
        outcome = worst(watchmen.outcomes())
    _print(watchmen, int(outcome), view.rate(), as_json=as_json, quiet=quiet)
    raise typer.Exit(128 + stop.signal if stop.signal else int(outcome))


def _longest(town: Any) -> float:
    return max((settings.hooks.timeout for settings in town.settings.values()), default=0.0)


def _tell_unopened(watchmen: Watchmen, told: dict[str, str]) -> None:
    """Report each source that cannot be opened, once."""
    from rocksteady.cli.common.output import say

    for name, why in dict(watchmen.unopened).items():
        if told.get(name) != why:
            told[name] = why
            say(f"{name} cannot be opened ({why}); retrying.", label="Warning: ",
                look="yellow")  # fmt: skip
    for name in set(told) - set(watchmen.unopened):
        del told[name]


def _warm_up(town: Any, quiet: bool) -> None:
    """Compile every kind of building before the threads begin."""
    from rocksteady.cli.common.progress import Work, follow_engine

    seen = set()
    with Work(quiet=quiet) as work:
        follow_engine()
        work.on("Starting the monitors …")
        for settings in town.settings.values():
            trial = settings.monitor()
            kind = (type(trial.system), type(trial.formulation), repr(trial.formulation))
            if kind not in seen:
                seen.add(kind)
                trial.push_block([0.0, 0.0])


def _print(watchmen: Watchmen, outcome: int, rate: float, *, as_json: bool, quiet: bool) -> None:
    from rocksteady.cli.common.output import out, print_json
    from rocksteady.cli.monitor.summary import summary
    from rocksteady.cli.monitor.view import town_table

    about = [summary(watch) for watch in watchmen.watches]
    if as_json:
        town = watchmen.town
        print_json(
            {
                "name": town.name,
                "outcome": outcome,
                "rate": rate,
                "logs": str(town.logs),
                "refused": watchmen.refused,
                "buildings": about,
            }
        )
    elif not quiet:
        out().print(town_table(about))
