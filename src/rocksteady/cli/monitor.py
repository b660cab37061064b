"""`rocksteady monitor`: watch damage grow, from a sensor's samples as they come."""

from __future__ import annotations

import dataclasses
import warnings
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from typer import Option

from rocksteady.cli.building import BuildingOptions
from rocksteady.cli.inputs import RESULTS, Json, Quiet, grouped
from rocksteady.cli.monitor_options import HookOptions, LogOptions, SampleOptions, Stop
from rocksteady.errors import InputError, RocksteadyWarning

if TYPE_CHECKING:
    from rocksteady.monitor.session import Session

app = typer.Typer(add_completion=False, rich_markup_mode="rich")

_TOWN = {"rich_help_panel": "Many buildings"}
_GRACE = 5.0  # s for hooks that are under way, where someone asked us to end


@app.command()
@grouped
def monitor(
    building: BuildingOptions,
    samples: SampleOptions,
    log: LogOptions,
    hooks: HookOptions,
    update: Annotated[
        str | None,
        Option(
            "--update",
            help="How the interface is integrated: accurate (usual) or explicit, the paper's own.",
            rich_help_panel="The building",
        ),
    ] = None,
    alarm: Annotated[
        list[str] | None,
        Option(
            "--alarm",
            "-a",
            metavar="QUANTITY=VALUE",
            help="Raise an alarm at this value: wear=0.1, hardening=0.005 (m), drift=0.01 (m), "
            "frequency_drop=0.05; of a block lean=0.5 (|θ|/α). May be repeated.",
            **RESULTS,
        ),
    ] = None,
    config: Annotated[
        Path | None,
        Option(
            "--config",
            metavar="TOWN.toml",
            help="Watch the buildings in this file, all in one process.",
            **_TOWN,
        ),
    ] = None,
    example: Annotated[bool, Option("--example", help="Print such a file.", **_TOWN)] = False,
    as_json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Watch a building live: wear, drift and frequency from a sensor's samples.

    \b
    Lines of time,a_h[,a_v] in s and m/s², or of a_h alone with --dt, from a pipe:
      [cyan]sensor | rocksteady monitor -b house.toml --unit g -a wear=0.1[/cyan]
    From a file that a logger writes, with a log. The same command starts it and,
    after a crash, a power cut or a full disk, goes on:
      [cyan]rocksteady monitor -b house.toml --follow samples.csv --log house[/cyan]
    With someone to be told of alarms:
      [cyan]rocksteady monitor -b house.toml -f s.csv -a wear=.1 --on-alarm ./call.sh[/cyan]
    From a socket, for a building of the literature:
      [cyan]rocksteady monitor --preset casalotti2025 --mass 4e4 --dt .01 --listen :9000[/cyan]
    Many buildings in one process:
      [cyan]rocksteady monitor --example > town.toml[/cyan]
      [cyan]rocksteady monitor --config town.toml[/cyan]

    Exit status: 0 all well; 2 wrong options; 3 no sample came; 4 an alarm was
    raised; 5 collapsed or overturned; 6 the sensor fell silent (--patience);
    7 the log could not be written; 8 the computation failed; 130 Ctrl-C,
    143 SIGTERM, after saving.
    """
    if example:
        from rocksteady.monitor.config import example as text

        typer.echo(text(), nl=False)
        return
    if config is not None:
        from rocksteady.cli.monitor_town import watch_town

        _refuse_beside_config(building, samples, log, hooks, update, alarm)
        watch_town(config, as_json=as_json, quiet=quiet)
        return
    from rocksteady.cli.monitor_start import Wanted

    samples.check()
    log.check()
    wanted = Wanted(building, samples, log, hooks.hooks(), update, _thresholds(alarm))
    _watch_one(wanted, as_json=as_json, quiet=quiet)


def _watch_one(wanted: Any, *, as_json: bool, quiet: bool) -> None:
    from rocksteady.cli.monitor_start import started
    from rocksteady.cli.monitor_summary import summary
    from rocksteady.cli.monitor_view import View, print_summary
    from rocksteady.cli.output import print_json, say

    log, hooks = wanted.log.log, wanted.hooks
    stop = Stop()
    with stop.heard():
        session, source, early = started(wanted, stop, quiet)
        (watch,) = session.watches
        with View([watch], quiet=quiet) as view:
            session.run(source, view.look, early)
            if not stop.signal:
                session.finish(view.look)
        session.commit()
        untold = watch.close(_GRACE if stop.signal else hooks.timeout + 1)
        about = {**summary(watch), "rate": view.rate(), "log": log and str(log)}
    outcome = watch.outcome(silent=session.ended == "silent")
    _warn(session, untold, log)
    if as_json:
        print_json({**about, "outcome": int(outcome)})
    elif not quiet:
        print_summary(about, log)
    if watch.broken:
        say(f"The building could not be watched any further: {watch.broken}", label="Error: ")
    if stop.signal:
        raise typer.Exit(128 + stop.signal)
    raise typer.Exit(int(outcome))


def _warn(session: Session, untold: int, log: Path | None) -> None:
    from rocksteady.cli.monitor_start import A_SAMPLE

    (watch,) = session.watches
    if watch.monitor.samples == 0:
        _warning(f"No sample came: the input was empty, or no line of it was one. {A_SAMPLE}")
    if watch.unwritten:
        _warning(
            f"The log in {log} is not complete: {watch.unwritten}. The same command goes on from "
            "what is there; free some space first."
        )
    if untold:
        message, be = ("message", "is") if untold == 1 else ("messages", "are")
        again = "told by the next start" if log else "lost: there is no --log to keep what waits"
        _warning(f"{untold} {message} could not be delivered, and {be} {again}.")
    _warn_of_offsets(watch.monitor.seen.offsets(watch.monitor.dt))


def _warning(text: str) -> None:
    warnings.warn(text, RocksteadyWarning, stacklevel=2)


def _warn_of_offsets(offsets: dict[str, float]) -> None:
    """Of a sensor that does not read zero where nothing moves, which pushes the building."""
    from rocksteady.cli.monitor_summary import in_both

    for name, offset in offsets.items():
        _warning(
            f"The samples of {name} are {in_both(offset)} in the mean, and ground that shakes has "
            "none: the sensor is off by that, or tilted, which pushes the building all the time. "
            f"Take the mean of a quiet minute off {name} before the samples come here."
        )


def _thresholds(alarms: list[str] | None) -> dict[str, list[float]] | None:
    """``--alarm wear=0.1`` and so on, as a monitor takes them."""
    if not alarms:
        return None
    thresholds: dict[str, list[float]] = {}
    for text in alarms:
        name, _, value = text.partition("=")
        try:
            thresholds.setdefault(name.strip(), []).append(float(value))
        except ValueError:
            raise InputError(
                f"--alarm {text} is not a threshold: write it as in --alarm wear=0.1."
            ) from None
    return thresholds


def _refuse_beside_config(*groups: Any) -> None:
    """The file says it all."""
    for group in groups:
        if dataclasses.is_dataclass(group):
            for item in dataclasses.fields(group):
                if getattr(group, item.name) != item.default:
                    option = "--" + item.name.replace("_", "-")
                    raise InputError(f"{option} stands in the file where --config is given.")
        elif group:
            raise InputError("--update and --alarm stand in the file where --config is given.")
