"""`rocksteady monitor`: follow a building from a sensor's samples."""

from __future__ import annotations

import dataclasses
import warnings
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from rocksteady.cli.common.building import BuildingOptions
from rocksteady.cli.common.inputs import Json, Quiet, grouped
from rocksteady.cli.common.options import panel, result
from rocksteady.cli.monitor.options import GRACE, HookOptions, LogOptions, SampleOptions, Stop
from rocksteady.errors import InputError, RocksteadyWarning

if TYPE_CHECKING:
    from rocksteady.monitor.session import Session

app = typer.Typer(add_completion=False, rich_markup_mode="rich")

_many = panel("Many buildings")


@app.command()
@grouped
def monitor(
    building: BuildingOptions,
    samples: SampleOptions,
    log: LogOptions,
    hooks: HookOptions,
    update: Annotated[
        str | None,
        panel("The building")(
            "How the interface is integrated: accurate (usual) or explicit, the paper's own."
        ),
    ] = None,
    alarm: Annotated[
        list[str] | None,
        result(
            "Raise an alarm at this value: wear=0.1, hardening=0.005 (m), drift=0.01 (m), "
            "frequency_drop=0.05; for a block lean=0.5 (|θ|/α). May be repeated.",
            "--alarm",
            "-a",
            metavar="QUANTITY=VALUE",
        ),
    ] = None,
    config: Annotated[
        Path | None, _many("Watch all buildings listed in this file.", metavar="FILE.toml")
    ] = None,
    example: Annotated[bool, _many("Print an example file.", "--example")] = False,
    as_json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Watch a building live: wear, drift and frequency from a sensor's samples.

    \b
    From standard input, lines of time,a_h[,a_v], or a_h alone with --dt:
      [cyan]sensor | rocksteady monitor -b house.toml --unit g -a wear=0.1[/cyan]
    From a growing file, with a log; after a crash the same command resumes:
      [cyan]rocksteady monitor -b house.toml --follow samples.csv --log house[/cyan]
    Run a command at each alarm:
      [cyan]rocksteady monitor -b house.toml -f s.csv -a wear=.1 --on-alarm ./call.sh[/cyan]
    From a socket, for a building from the literature:
      [cyan]rocksteady monitor --preset casalotti2025 --mass 4e4 --dt .01 --listen :9000[/cyan]
    Many buildings in one process:
      [cyan]rocksteady monitor --example > buildings.toml[/cyan]
      [cyan]rocksteady monitor --config buildings.toml[/cyan]

    Exit status: 0 all well, 2 wrong options, 3 no sample came, 4 alarm raised,
    5 collapsed or overturned, 6 sensor silent (--patience), 7 log incomplete,
    8 computation failed, 130 Ctrl-C or 143 SIGTERM, after saving.
    """
    if example:
        from rocksteady.monitor.config import example as text

        typer.echo(text(), nl=False)
        return
    if config is not None:
        from rocksteady.cli.monitor.many import watch_many

        _refuse_beside_config(building, samples, log, hooks, update, alarm)
        watch_many(config, as_json=as_json, quiet=quiet)
        return
    from rocksteady.cli.monitor.start import Request

    samples.check()
    log.check()
    request = Request(building, samples, log, hooks.hooks(), update, _thresholds(alarm))
    _watch_one(request, as_json=as_json, quiet=quiet)


def _watch_one(request: Any, *, as_json: bool, quiet: bool) -> None:
    from rocksteady.cli.common.output import print_json, say
    from rocksteady.cli.monitor.start import started
    from rocksteady.cli.monitor.summary import summary
    from rocksteady.cli.monitor.view import View, print_summary

    log, hooks = request.log.log, request.hooks
    stop = Stop()
    with stop.catching():
        session, source, early = started(request, stop, quiet)
        (watch,) = session.watches
        with View([watch], quiet=quiet) as view:
            session.run(source, view.report, early)
            if not stop.signal:
                session.finish(view.report)
        session.commit()
        unsent = watch.close(GRACE if stop.signal else hooks.timeout + 1)
        about = {**summary(watch), "rate": view.rate(), "log": log and str(log)}
    outcome = watch.outcome(silent=session.ended == "silent")
    _warn(session, unsent, log)
    if as_json:
        print_json({**about, "outcome": int(outcome)})
    elif not quiet:
        print_summary(about, log)
    if watch.broken:
        say(f"The building could not be watched any further: {watch.broken}", label="Error: ")
    if stop.signal:
        raise typer.Exit(128 + stop.signal)
    raise typer.Exit(int(outcome))


def _warn(session: Session, unsent: int, log: Path | None) -> None:
    from rocksteady.cli.monitor.start import A_SAMPLE

    (watch,) = session.watches
    if watch.monitor.samples == 0:
        _warning(f"No sample came: the input was empty, or no line was a sample. {A_SAMPLE}")
    if watch.unwritten:
        _warning(
            f"The log in {log} is not complete: {watch.unwritten}. Free some space; the same "
            "command then resumes from what was saved."
        )
    if unsent:
        message, be = ("message", "is") if unsent == 1 else ("messages", "are")
        lost = f"{be} lost: without --log none is kept"
        again = "will be sent at the next start" if log else lost
        _warning(f"{unsent} {message} could not be delivered and {again}.")
    _warn_of_offsets(watch.monitor.seen.offsets(watch.monitor.dt))


def _warning(text: str) -> None:
    warnings.warn(text, RocksteadyWarning, stacklevel=2)


def _warn_of_offsets(offsets: dict[str, float]) -> None:
    """Warn of a sensor that does not read zero at rest, which pushes the building."""
    from rocksteady.cli.monitor.summary import in_both

    for name, offset in offsets.items():
        _warning(
            f"The mean of {name} is {in_both(offset)}, but shaking ground has a mean of zero: the "
            "sensor has an offset or is tilted, which pushes the building all the time. Subtract "
            f"the mean of a quiet minute from {name} first."
        )


def _thresholds(alarms: list[str] | None) -> dict[str, list[float]] | None:
    """``--alarm wear=0.1`` and so on, as `Monitor` takes them."""
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
    """Refuse options beside --config: they belong into the file."""
    for group in groups:
        if dataclasses.is_dataclass(group):
            for item in dataclasses.fields(group):
                if getattr(group, item.name) != item.default:
                    option = "--" + item.name.replace("_", "-")
                    raise InputError(f"With --config, write {option} into the file.")
        elif group:
            raise InputError("With --config, write --update and --alarm into the file.")
