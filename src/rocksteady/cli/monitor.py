"""`rocksteady monitor`: watch damage grow, from a sensor's samples as they come."""

from __future__ import annotations

import warnings
from typing import TYPE_CHECKING, Annotated, Any

import typer
from typer import Option

from rocksteady.cli.building import BuildingOptions
from rocksteady.cli.inputs import RESULTS, Json, Quiet, grouped
from rocksteady.cli.monitor_options import LogOptions, SampleOptions, Stop
from rocksteady.errors import InputError, RocksteadyWarning

if TYPE_CHECKING:
    from rocksteady.monitor import Monitor
    from rocksteady.monitor.lines import Lines
    from rocksteady.monitor.session import Session
    from rocksteady.monitor.sources import Source

app = typer.Typer(add_completion=False, rich_markup_mode="rich")

_ANY_STEP = 0.01  # s: to try the options with, where the samples will tell the true one
_A_SAMPLE = (
    "A line holds numbers, as in 0.01,-0.0032: no dates, no decimal commas. --columns says what "
    "they are, with - for a column of anything else."
)


@app.command()
@grouped
def monitor(
    building: BuildingOptions,
    samples: SampleOptions,
    log: LogOptions,
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
    as_json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Watch a building live: wear, drift and frequency from a sensor's samples.

    \b
    Lines of time,a_h[,a_v] in s and m/s², or of a_h alone with --dt, from standard input:
      [cyan]sensor | rocksteady monitor -b house.toml --unit g -a wear=0.1[/cyan]
    From a file that a logger writes, with a log that survives a power cut:
      [cyan]rocksteady monitor -b house.toml --follow samples.csv --log house[/cyan]
      [cyan]rocksteady monitor --follow samples.csv --log house --resume[/cyan]
    From a socket, for a building of the literature:
      [cyan]rocksteady monitor --preset casalotti2025 --mass 4e4 --dt .01 --listen :9000[/cyan]
    """
    from rocksteady.cli.monitor_view import View, print_summary, summary
    from rocksteady.cli.output import print_json

    samples.check()
    log.check()
    stop = Stop()
    with stop.heard():
        session, source, early = _started(
            building, samples, log, update, _thresholds(alarm), stop, quiet
        )
        with View(session, quiet=quiet) as view:
            session.run(source, view.look, early)
            if not stop.signal:
                view.look(session.finish())
        session.commit()
        session.journal.close()
        about = {**summary(session), "rate": view.rate(), "log": log.log and str(log.log)}
    if about["samples"] == 0:
        warnings.warn(
            f"No sample came: the input was empty, or no line of it was one. {_A_SAMPLE}",
            RocksteadyWarning,
            stacklevel=1,
        )
    _warn_of_offsets(about["offsets"])
    if as_json:
        print_json(about)
    elif not quiet:
        print_summary(about, log.log)
    if stop.signal:
        raise typer.Exit(128 + stop.signal)


def _warn_of_offsets(offsets: dict[str, float]) -> None:
    """Of a sensor that does not read zero where nothing moves, which pushes the building."""
    from rocksteady.cli.monitor_view import in_both

    for name, offset in offsets.items():
        warnings.warn(
            f"The samples of {name} are {in_both(offset)} in the mean, and ground that shakes has "
            "none: the sensor is off by that, or tilted, which pushes the building all the time. "
            f"Take the mean of a quiet minute off {name} before the samples come here.",
            RocksteadyWarning,
            stacklevel=2,
        )


def _thresholds(alarms: list[str] | None) -> dict[str, list[float]]:
    """``--alarm wear=0.1`` and so on, as a monitor takes them."""
    thresholds: dict[str, list[float]] = {}
    for text in alarms or ():
        name, _, value = text.partition("=")
        try:
            thresholds.setdefault(name.strip(), []).append(float(value))
        except ValueError:
            raise InputError(
                f"--alarm {text} is not a threshold: write it as in --alarm wear=0.1."
            ) from None
    return thresholds


# -- starting -------------------------------------------------------------------------------------


def _started(
    building: BuildingOptions,
    samples: SampleOptions,
    log: LogOptions,
    update: str | None,
    thresholds: dict[str, list[float]],
    stop: Stop,
    quiet: bool,
) -> tuple[Session, Source, list[Lines]]:
    """A new session or the one to go on with, its source, and what came of it already."""
    from rocksteady.monitor.journal import kept
    from rocksteady.monitor.lines import LineReader
    from rocksteady.monitor.session import first_lines

    about = kept(log.log) if log.resume and log.log is not None else None
    if about is not None:
        _refuse_changes(building, samples, log, update, thresholds)
        session = _resumed(about, log, quiet)
        return session, samples.open(stop, session.reader.bytes), []
    body = building.build()
    reader = LineReader(samples.names(), samples.factor())
    make = _maker(body, update, thresholds)
    # What is wrong with the options is said, and all is compiled, before any sample is read: the
    # patience with a silent sensor begins then.
    _warm_up(make(_ANY_STEP if samples.dt is None else samples.dt), quiet)
    source = samples.open(stop, 0)
    early: list[Lines] = [] if samples.dt is not None else first_lines(reader, source)
    dt = samples.dt if samples.dt is not None else _time_step(reader, early)
    return _fresh(make(dt), reader, samples, log), source, early


def _maker(body: Any, update: str | None, thresholds: dict[str, list[float]]) -> Any:
    """What makes the monitor as soon as its time step is known."""
    from rocksteady.formulations.masonry import Masonry
    from rocksteady.monitor import Monitor

    how = None if update is None else Masonry(update)

    def make(dt: float) -> Monitor:
        return Monitor(body, dt=dt, formulation=how, alarms=thresholds)

    return make


def _fresh(watching: Monitor, reader: Any, samples: SampleOptions, log: LogOptions) -> Session:
    from rocksteady.monitor import Feed
    from rocksteady.monitor.feed import MAX_GAP
    from rocksteady.monitor.journal import EVERY, Journal
    from rocksteady.monitor.session import Session

    journal = Journal(watching, log.log, every=EVERY if log.every is None else log.every)
    feed = Feed(journal, max_gap=MAX_GAP if samples.max_gap is None else samples.max_gap)
    return Session(reader, feed, journal, log.sync)


def _resumed(about: dict[str, Any], log: LogOptions, quiet: bool) -> Session:
    from rocksteady.cli.output import say
    from rocksteady.monitor.session import resumed

    assert log.log is not None
    session = resumed(about, log.log, sync=log.sync)
    if log.from_beginning:
        reader = session.reader
        reader.skip, reader.lines, reader.bytes = reader.lines, 0, 0
    if not quiet:
        durable = session.monitor
        say(
            f"Going on after sample {durable.samples - 1} at {durable.time:.3f} s, line "
            f"{session.reader.skip or session.reader.lines} of the input.",
            look="dim",
        )
    _warm_up(session.monitor, quiet)
    return session


def _refuse_changes(
    building: BuildingOptions,
    samples: SampleOptions,
    log: LogOptions,
    update: str | None,
    thresholds: dict[str, list[float]],
) -> None:
    """A resumed run goes on as it began."""
    if log.from_beginning and (samples.follow is not None or samples.listen is not None):
        raise InputError("--from-beginning is for standard input: leave it out.")
    settled = (samples.dt, samples.unit, samples.columns, samples.max_gap, log.every, update)
    if building.given or thresholds or any(value is not None for value in settled):
        raise InputError(
            f"--resume goes on exactly as the run in {log.log} began: leave out the building, "
            "--update, --dt, --unit, --columns, --max-gap, --alarm and --every, which are kept "
            "there."
        )


def _time_step(reader: Any, early: list[Lines]) -> float:
    import numpy as np

    from rocksteady.monitor.session import time_step_of

    seen = sum(map(len, early))
    if not seen:
        raise InputError("No samples came: the input was empty, or held headings only.")
    if not reader.timed:
        raise InputError("The lines have no time stamps: give the time step with --dt, in s.")
    if all(lines.garbage.all() for lines in early):
        raise InputError(f"None of the first {seen} lines is a sample. {_A_SAMPLE}")
    times = np.concatenate([lines.time for lines in early if lines.time is not None])
    try:
        return time_step_of(times)
    except InputError:
        _refuse_other_units(times)
        raise


def _refuse_other_units(times: Any) -> None:
    """Of time stamps that are no seconds: a second or more apart, as no sensor's samples are."""
    import numpy as np

    from rocksteady.monitor.session import time_step_of

    steps = np.diff(times[np.isfinite(times)])
    if not len(steps) or np.median(steps) < 1:
        return
    for unit, seconds in (("ms", 1e-3), ("µs", 1e-6), ("ns", 1e-9)):
        try:
            dt = time_step_of(times * seconds)
        except InputError:
            continue
        raise InputError(
            f"The time stamps look like {unit}, {1 / dt:g} samples a second, and must be in s: "
            f"divide them by {1 / seconds:.0f}, or give --dt {dt:g} and - in their place in "
            "--columns."
        )


def _warm_up(watching: Monitor, quiet: bool) -> None:
    """Compile the engine before the first sample waits for it."""
    from rocksteady.cli.progress import Work, follow_engine
    from rocksteady.monitor import Monitor

    with Work(quiet=quiet) as work:
        follow_engine()
        work.on("Starting the monitor …")
        other = Monitor(watching.system, dt=watching.dt, formulation=watching.formulation)
        other.push_block([0.0, 0.0])
