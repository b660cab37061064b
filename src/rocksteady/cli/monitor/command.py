"""`rocksteady monitor`: follow a building from a sensor's samples."""

import dataclasses
from pathlib import Path
from typing import Annotated, Any

import typer

from rocksteady.cli.common.building import BuildingOptions
from rocksteady.cli.common.inputs import Json, Quiet, grouped
from rocksteady.cli.common.options import panel, result
from rocksteady.cli.monitor.options import HookOptions, LogOptions, SampleOptions
from rocksteady.errors import InputError

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
    8 computation failed, 9 uncertain (samples lost, or a clock in doubt),
    130 Ctrl-C or 143 SIGTERM, after saving.
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
    samples.check()
    log.check()
    from rocksteady.cli.monitor.start import Request, watch_one

    request = Request(building, samples, log, hooks.hooks(), update, _thresholds(alarm))
    watch_one(request, as_json=as_json, quiet=quiet)


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
