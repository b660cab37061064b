"""Watch one building: start, or resume where the log ends."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import typer

from rocksteady.cli.common.building import BuildingOptions
from rocksteady.cli.common.output import print_json, say
from rocksteady.cli.common.progress import Work
from rocksteady.cli.monitor.options import GRACE, LogOptions, SampleOptions, Stop, say_listening
from rocksteady.cli.monitor.summary import in_both, summary
from rocksteady.cli.monitor.view import View, print_summary
from rocksteady.errors import InputError, warn
from rocksteady.monitor import Monitor
from rocksteady.monitor.hooks import Hooks
from rocksteady.monitor.lines import LineReader, Lines
from rocksteady.monitor.outcome import Outcome
from rocksteady.monitor.session import Session, first_lines, resumed_source, time_step_of
from rocksteady.monitor.settings import FirstSilence, Settings, new_watch, resumed, settings_in
from rocksteady.monitor.sources import Source
from rocksteady.monitor.state_log import STATE, saved_state
from rocksteady.monitor.watch import Watch
from rocksteady.theories.masonry.formulation import Masonry

ANY_STEP = 0.01  # s: to check the options before the samples give the true step
A_SAMPLE = (
    "A line holds numbers, as in 0.01,-0.0032 or 0,01;-0,0032, and no dates. --columns says what "
    "they are, with - for a column to ignore."
)


@dataclass(frozen=True)
class Request:
    """What the command line asks for."""

    building: BuildingOptions
    samples: SampleOptions
    log: LogOptions
    hooks: Hooks
    update: str | None
    alarms: dict[str, list[float]] | None

    def settings(self, body: Any) -> Settings:
        given = {**vars(self.samples), **vars(self.log), "columns": self.samples.names()}
        return Settings(
            system=body,
            formulation=None if self.update is None else Masonry(update=self.update),
            alarms=self.alarms,
            hooks=self.hooks,
            **settings_in(given),
        )


def watch_one(request: Request, *, as_json: bool, quiet: bool) -> None:
    """Watch until the samples end, or until Ctrl-C or SIGTERM."""
    log = request.log.log
    stop = Stop()
    with stop.catching():
        session, source, early = started(request, stop, quiet)
        (watch,) = session.watches
        with View([watch], quiet=quiet) as view:
            session.run(source, view.report, early)
            if not stop.signal:
                session.finish(view.report)
        session.commit()
        unsent = watch.close(GRACE if stop.signal else None)
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
    (watch,) = session.watches
    if watch.monitor.samples == 0:
        warn(f"No sample came: the input was empty, or no line was a sample. {A_SAMPLE}")
    if watch.unwritten:
        warn(
            f"The log in {log} is not complete: {watch.unwritten}. Free some space; the same "
            "command then resumes from what was saved."
        )
    if unsent:
        message, be = ("message", "is") if unsent == 1 else ("messages", "are")
        lost = f"{be} lost: without --log none is kept"
        again = "will be sent at the next start" if log else lost
        warn(f"{unsent} {message} could not be delivered and {again}.")
    _warn_of_offsets(watch.monitor.seen.offsets(watch.monitor.dt))


def _warn_of_offsets(offsets: dict[str, float]) -> None:
    """Warn of a sensor that does not read zero at rest, which pushes the building."""
    for name, offset in offsets.items():
        warn(
            f"The mean of {name} is {in_both(offset)}, but shaking ground has a mean of zero: the "
            "sensor has an offset or is tilted, which pushes the building all the time. Subtract "
            f"the mean of a quiet minute from {name} first."
        )


def started(request: Request, stop: Stop, quiet: bool) -> tuple[Session, Source, list[Lines]]:
    """A session, new or resumed, its source, and the lines that have come already."""
    folder = request.log.log
    if request.log.from_beginning and (request.samples.follow or request.samples.listen):
        raise InputError("--from-beginning is for standard input: leave it out.")
    about = None if folder is None else saved_state(folder)
    if about is not None:
        return _resumed(request, about, stop, quiet)
    return _new(request, stop, quiet)


def _new(request: Request, stop: Stop, quiet: bool) -> tuple[Session, Source, list[Lines]]:
    samples = request.samples
    settings = request.settings(request.building.build())
    reader = settings.reader()
    # Refuse wrong options, and compile, before any sample is read: only then does the time without
    # a sample begin to count.
    trial = settings.monitor(ANY_STEP if samples.dt is None else samples.dt)
    warm_up([trial], quiet)
    source = samples.input().open(stop.requested, listening=say_listening)
    silence = FirstSilence(trial.system.label, settings, trial)
    early: list[Lines] = []
    if samples.dt is None:
        try:
            early = first_lines(reader, source, lambda: _report_silence(silence))
        finally:
            silence.close(GRACE)
    if early == [] and stop.signal:
        raise typer.Exit(128 + stop.signal)
    dt = samples.dt if samples.dt is not None else _time_step(reader, early, samples.follow)
    monitor = settings.monitor(dt)
    watch = new_watch(monitor.system.label, settings, monitor, request.log.log, reader)
    watch.silent = bool(silence.text)  # so that its return is reported, too
    return Session(reader, [watch]), source, early


def _resumed(
    request: Request, about: dict[str, Any], stop: Stop, quiet: bool
) -> tuple[Session, Source, list[Lines]]:
    folder = request.log.log
    assert folder is not None
    body = request.building.build() if request.building.given() else None
    watch = resumed("", request.settings(body), about, folder)
    watch.name = watch.monitor.system.label
    reader = LineReader.from_dict(watch.position)
    say_lost(watch, folder)
    if not quiet:
        known = watch.monitor
        place = f"sample {known.samples - 1} at {known.time:.3f} s" if known.samples else "nothing"
        say(f"Resuming after {place}, line {reader.lines} of the input.", look="dim")
    warm_up([watch.monitor], quiet)
    given = request.samples.input()
    if request.log.from_beginning:
        reader.pass_over_known()
        source = given.open(stop.requested)
    else:
        source = resumed_source(given, stop.requested, reader, listening=say_listening)
    return Session(reader, [watch]), source, []


def say_lost(watch: Watch, folder: Path) -> None:
    """Say that a run was resumed from the state before the newest, if it was."""
    if watch.lost_state:
        say(
            f"{watch.lost_state} Resuming from the state before it, {STATE} is written anew. To "
            f"start anew instead, move {folder} away.",
            label="Warning: ",
            look="yellow",
        )


def _report_silence(silence: FirstSilence) -> None:
    if silence.due():
        say(silence.text, label="Warning: ", look="yellow")


def _time_step(reader: LineReader, early: list[Lines], follow: Path | None) -> float:
    seen = sum(map(len, early))
    if not seen:
        why = "the input was empty, or held headings only"
        if follow is not None and not follow.exists():
            why = f"there is no file {follow}"
        say(f"No samples came: {why}.", label="Error: ")
        raise typer.Exit(int(Outcome.NO_SAMPLES))
    if not reader.timed:
        raise InputError("The lines have no time stamps: give the time step with --dt, in s.")
    if all(lines.garbage.all() for lines in early):
        raise InputError(f"None of the first {seen} lines is a sample. {A_SAMPLE}")
    times = np.concatenate([lines.time for lines in early if lines.time is not None])
    try:
        return time_step_of(times)
    except InputError:
        _refuse_other_units(times)
        raise


def _refuse_other_units(times: Any) -> None:
    """Advice if time stamps are not in seconds: a second or more apart, unlike any sensor's."""
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


def warm_up(monitors: list[Monitor], quiet: bool) -> None:
    """Compile the engine for every kind of building before the first sample waits for it."""
    kinds = {(type(each.system), repr(each.formulation)): each for each in monitors}
    with Work(quiet=quiet) as work:
        work.on(f"Starting the monitor{'s' * (len(monitors) > 1)} …")
        for each in kinds.values():
            other = Monitor(each.system, dt=each.dt, formulation=each.formulation)
            other.push_block([0.0, 0.0])
