"""`rocksteady monitor --config`: many buildings in one process."""

from pathlib import Path

import typer

from rocksteady.cli.common.output import out, print_json, say
from rocksteady.cli.monitor.options import GRACE, Stop, standard_input
from rocksteady.cli.monitor.start import say_lost, warm_up
from rocksteady.cli.monitor.summary import summary
from rocksteady.cli.monitor.view import View, buildings_table
from rocksteady.monitor.config import read_config
from rocksteady.monitor.many import ManyBuildings
from rocksteady.monitor.outcome import worst


def watch_many(path: Path, *, as_json: bool, quiet: bool) -> None:
    """Watch until every source has ended, or until Ctrl-C or SIGTERM."""
    config = read_config(path)
    stop = Stop()
    with stop.catching():
        warm_up([settings.monitor() for settings in config.settings.values()], quiet)
        buildings = ManyBuildings(config, stop.requested, standard_input())
        for name, why in buildings.refused.items():
            say(f"{name} is not watched: {why}", label="Error: ")
        for watch in buildings.watches:
            say_lost(watch, config.logs / watch.name)
        if not quiet:
            say(f"Watching {len(buildings.watches)} buildings; logs in {config.logs}.", look="dim")
        with View(buildings.watches, quiet=quiet) as view:
            reported: dict[str, str] = {}

            def show() -> None:
                _report_unopened(buildings, reported)
                view.show()

            buildings.run(view.report_events, show)
        buildings.close(GRACE if stop.signal else None)
        outcome = worst(buildings.outcomes())
    _print(buildings, int(outcome), view.rate(), as_json=as_json, quiet=quiet)
    raise typer.Exit(128 + stop.signal if stop.signal else int(outcome))


def _report_unopened(buildings: ManyBuildings, reported: dict[str, str]) -> None:
    """Report each source that cannot be opened, once."""
    for name, why in dict(buildings.unopened).items():
        if reported.get(name) != why:
            reported[name] = why
            say(f"{name} cannot be opened ({why}); retrying.", label="Warning: ",
                look="yellow")  # fmt: skip
    for name in set(reported) - set(buildings.unopened):
        del reported[name]


def _print(
    buildings: ManyBuildings, outcome: int, rate: float, *, as_json: bool, quiet: bool
) -> None:
    about = [summary(watch) for watch in buildings.watches]
    if as_json:
        config = buildings.config
        print_json(
            {
                "name": config.name,
                "outcome": outcome,
                "rate": rate,
                "logs": str(config.logs),
                "refused": buildings.refused,
                "buildings": about,
            }
        )
    elif not quiet:
        out().print(buildings_table(about))
