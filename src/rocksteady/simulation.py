"""Run one body under one ground motion: `simulate`."""

import math
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rocksteady.bodies import System
from rocksteady.engine.drivers import make_trace
from rocksteady.engine.ground import directions, samples_of
from rocksteady.errors import InputError, heard, held_back, warn
from rocksteady.motion import Motion
from rocksteady.motion.upwards import warn_of_ignored, warn_of_verticals
from rocksteady.numbers import finite, positive
from rocksteady.numerics.types import Array, Numbers
from rocksteady.response import Response, lost
from rocksteady.status import Status
from rocksteady.theories.contract import FAILURE, OVERTURN, Formulation
from rocksteady.theories.registry import suitable

PIECE = 10.0  # s of still ground at a time
TOLD = 0.1  # s of the motion between two tellings of progress
TO_REST = ("rest", "outcome")
MOST_SAMPLES = 100_000_000
FREE_STEPS = 50  # samples in 1/p when no motion sets the sampling


def simulate(
    system: System,
    motion: Motion | None = None,
    formulation: Formulation | None = None,
    *,
    theta0: float = 0.0,
    omega0: float = 0.0,
    x0: float = 0.0,
    v0: float = 0.0,
    direction: float = 0.0,
    until: str | float = "rest",
    duration: float | None = None,
    progress: Callable[[int, int], Any] | None = None,
) -> Response:
    """Compute the response of ``system`` to ``motion``.

    Parameters
    ----------
    system
        The body.
    motion
        The ground motion; None for free motion from the initial state. A body in space feels
        :meth:`Motion.right_handed` of it: ``accel`` along x, ``transverse`` along y.
    formulation
        The theory; by default the usual one for the body, :class:`Housner` for a block.
    theta0, omega0
        Initial rotation [rad] and angular velocity [rad/s] of a rocking body.
    x0, v0
        Initial displacement [m] and velocity [m/s] of a building or a sliding body.
    direction
        The direction in which a body in space leans at first, in degrees from x (along the motion's
        ``accel``) towards y (along its ``transverse``).
    until
        When the run ends: ``"rest"``, when the body is at rest or has fallen, at most ten minutes
        after the motion; ``"motion"``, at the end of the motion; or a number of seconds.
        (``"outcome"``, for ensembles, is ``"rest"`` here.)
    duration
        The same as ``until`` with a number of seconds.
    progress
        Called now and then with the number of samples done and that of the motion. The numbers of
        the run stay the same.

    Examples
    --------
    >>> import rocksteady as rs
    >>> statue = rs.Block(height=1.8, width=0.5)
    >>> push = rs.pulses.sine(amplitude=3.0, period=0.8)
    >>> print(rs.simulate(statue, push).status)
    at rest
    """
    with heard() as said:
        formulation = suitable(formulation, system)
        end = checked_until(until, duration)
        params = formulation.parameters(system)
        start = _start(formulation, system, (theta0, omega0), (x0, v0))
        state = formulation.start(system, *start, **_direction(formulation, direction))
        ground = _ground(system, motion, formulation, idle=not (any(start) or system.posed))
        runner = _Runner(formulation, system, params, state, ground.dt)
        runner.tell = progress

        if end in TO_REST:
            runner.run_in_pieces(ground)
            runner.run_until_settled(formulation.aftermath(system))
            ground_stopped = True
        else:
            samples = len(ground) if isinstance(end, str) else samples_in(end, ground.dt)
            ground_stopped = samples >= len(ground)
            ground = cut(ground, samples)
            runner.run_in_pieces(ground)
            if samples > len(ground):
                runner.run(Motion(np.zeros(samples - len(ground) + 1), ground.dt))
        response = runner.response(ground, ground_stopped)
        doubt = formulation.doubt(system, response.states)
        if doubt is not None:
            warn(doubt)
    return replace(response, warnings=tuple(said)) if said else response


def checked_until(until: Any, duration: float | None = None) -> str | float:
    """``"rest"``, ``"outcome"``, ``"motion"`` or a number of seconds, from the two arguments that
    may give it."""
    if duration is not None:
        if until != "rest":
            raise InputError(
                f"until = {until!r} and duration = {duration!r} were both given: they mean "
                "the same. Give one of them."
            )
        return positive("duration", duration, "s")
    if isinstance(until, str):
        if until not in (*TO_REST, "motion"):
            raise InputError(
                f"until = {until!r} is not allowed: give 'rest', 'outcome', 'motion' or a number "
                "of seconds."
            )
        return until
    return positive("until", until, "s")


def compile_for(formulation: Formulation, system: System) -> None:
    """Compile the code that `simulate` runs for this body, by a run without steps."""
    state = formulation.start(system)
    still = tuple(np.zeros(1) for _ in directions(formulation.components))
    trace = make_trace(formulation.advance_for(system))
    states = np.empty((1, len(state)))
    with held_back():  # the run itself warns
        params = formulation.parameters(system)
    trace(state, params, still, 1.0, 0.0, states)


class _Runner:
    """One run in pieces, each of which starts where the last one ended."""

    def __init__(
        self,
        formulation: Formulation,
        system: System,
        params: tuple[Any, ...],
        state: Numbers,
        dt: float,
    ) -> None:
        self.formulation, self.system = formulation, system
        self.params, self.state, self.dt = params, state, dt
        self.trace = make_trace(formulation.advance_for(system))
        self.states: list[Array] = [np.array([state])]
        self.events: list[Array] = []
        self.samples = 1
        self.tell: Callable[[int, int], Any] | None = None

    @property
    def last_event(self) -> int:
        return int(self.events[-1][-1, 1]) if self.events and len(self.events[-1]) else 0

    @property
    def over(self) -> bool:
        return self.last_event in (OVERTURN, FAILURE)

    def run_in_pieces(self, ground: Motion) -> None:
        """Run the whole motion, at once unless somebody wants to know how far it is."""
        if self.tell is None:
            return self.run(ground)
        size, last = max(1, round(TOLD / self.dt)), len(ground) - 1
        for first in range(0, last, size):
            if self.over:
                break
            end = min(first + size, last) + 1
            self.run(ground.mapped(lambda values, a=first, b=end: values[a:b]))  # type: ignore[misc]
            self.tell(self.samples - 1, last)
        return None

    def run(self, ground: Motion) -> None:
        if self.over or len(ground) < 2:
            return
        states = np.empty((len(ground), len(self.state)))
        samples = samples_of(ground, self.formulation.components)
        rows, events, self.state = self.trace(
            self.state, self.params, samples, self.dt, float(self.samples - 1), states
        )
        self.states.append(states[1:rows])
        self.events.append(events)
        self.samples += rows - 1
        columns = self.formulation.columns(self.system)
        if lost(columns, np.array(self.state)):
            self.fail(int(np.argmax(lost(columns, states[:rows]))) - 1)

    def run_until_settled(self, longest: float) -> None:
        """Continue on still ground until the body is at rest or has fallen."""
        piece = Motion.zeros(PIECE, self.dt)
        end = self.samples + math.ceil(longest / self.dt)
        while not (self.over or self.resting(self.states[-1][-1]) or self.samples >= end):
            self.run(piece)
            quiet = self.resting(self.states[-1])
            if quiet.any():
                self.keep(int(np.argmax(quiet)) + 1)

    def keep(self, rows: int) -> None:
        """Keep only this many samples of the last piece, and the events until then."""
        self.samples -= len(self.states[-1]) - rows
        self.states[-1] = self.states[-1][:rows]
        end_time = (self.samples - 1) * self.dt
        self.events[-1] = self.events[-1][self.events[-1][:, 0] <= end_time]

    def fail(self, rows: int) -> None:
        """End the run as failed after this many samples of the last piece."""
        self.keep(rows)
        self.state = tuple(np.concatenate(self.states[-2:])[-1].tolist())
        end, (theta, omega) = (self.samples - 1) * self.dt, self.state[:2]
        sound = self.events[-1][np.isfinite(self.events[-1]).all(axis=1)]
        self.events[-1] = np.vstack([sound, [end, FAILURE, theta, omega, omega]])

    def resting(self, states: Array) -> NDArray[np.bool_]:
        return self.formulation.at_rest(self.system, states)

    def response(self, ground: Motion, ground_stopped: bool) -> Response:
        states = np.concatenate(self.states)
        events = np.concatenate([np.empty((0, 5)), *self.events])
        event = self.last_event
        how, time = self.formulation, np.arange(len(states), dtype=np.float64) * self.dt
        if not self.over and (
            (ground_stopped and how.doomed(self.system, states[-1]))
            or how.fallen(self.system, time, states)  # rubble goes on moving
        ):
            event = OVERTURN
        status = status_after(event, self.formulation, self.system, states[-1])
        for array in (states, events):
            array.setflags(write=False)
        return Response(self.system, ground, self.formulation, states, events, status)


def status_after(event: int, formulation: Formulation, system: System, state: Array) -> Status:
    """The status of a run whose last event and last state are these."""
    if event == FAILURE:
        return Status.FAILED
    if event == OVERTURN:
        return system.ends
    return Status.AT_REST if formulation.at_rest(system, state) else Status.MOVING


def suitable_at(dt: float, formulation: Formulation | None, system: System) -> Formulation:
    """The formulation, or the usual one, for samples every ``dt`` [s] that are not resampled."""
    how, dt = suitable(formulation, system), positive("dt", dt, "s")
    prescribed = how.time_step(system)
    if prescribed is not None and not math.isclose(dt, prescribed, rel_tol=1e-9):
        raise InputError(
            f"dt = {dt!r} s would change the physics: {how.name} dissipates energy by its time "
            f"step, here {prescribed!r} s. Resample to that, or give the formulation dt={dt!r}."
        )
    return how


def _start(
    how: Formulation, system: System, turned: tuple[float, float], moved: tuple[float, float]
) -> tuple[float, float]:
    """Initial coordinate and rate, from the two pairs of arguments that may give them."""
    coordinate = how.coordinate(system)
    rocks = coordinate.start_names == ("theta0", "omega0")
    given, other = (turned, moved) if rocks else (moved, turned)
    if system.posed and any(other):
        given = other  # which its theory refuses, as any start
    elif any(other):
        (a, b), unit = coordinate.start_names, coordinate.start_unit
        words = ("x0", "v0", "m") if rocks else ("theta0", "omega0", "rad")
        raise InputError(
            f"{words[0]} = {other[0]!r} {words[2]} and {words[1]} = {other[1]!r} {words[2]}/s were "
            f"given, but a {system.label} {'rocks' if rocks else 'does not rock'}: give {a} "
            f"[{unit}] and {b} [{unit}/s]."
        )
    names, unit = coordinate.start_names, coordinate.start_unit
    value, rate = finite(names[0], given[0], unit), finite(names[1], given[1], f"{unit}/s")
    if rocks:
        system.check_start(value)
    return value, rate


def _direction(how: Formulation, direction: float) -> dict[str, float]:
    """The direction of the start [degrees], for a theory that takes one."""
    direction = finite("direction", direction, "degrees")
    if how.starts_in_a_direction:
        return {"direction": direction}
    if direction:
        raise InputError(
            f"direction = {direction!r} degrees was given, but {how.name} moves in one plane: "
            "leave it out (the sign of theta0 says which way it leans), or choose a theory of "
            "bodies in space."
        )
    return {}


def _ground(
    system: System, motion: Motion | None, formulation: Formulation, *, idle: bool
) -> Motion:
    """The ground motion at the formulation's step."""
    if motion is None:
        if idle:
            value, rate = formulation.coordinate(system).start_names
            raise InputError(f"Nothing would move: give a motion, or a nonzero {value} or {rate}.")
        dt = formulation.time_step(system) or _round_down(1 / (FREE_STEPS * system.free_rate))
        motion = Motion(np.zeros(2), dt, name="free rocking")
    elif not isinstance(motion, Motion):
        raise InputError(
            f"A {type(motion).__name__} is not a motion: read a file with rs.read_motion(path), or "
            "make one from samples with rs.Motion(accel, dt)."
        )
    else:
        dt = formulation.time_step(system) or motion.dt
        if dt != motion.dt:
            motion = motion.resampled(dt)
        if "transverse" in formulation.components:
            motion = motion.right_handed()
        warn_of_verticals([motion])
    warn_of_ignored([motion], formulation.name, formulation.components)
    if motion.vertical is not None and "vertical" in formulation.components:
        formulation.check_vertical(system, motion.vertical)
    return motion


def samples_in(duration: float, dt: float) -> int:
    """The number of samples that cover ``duration``."""
    samples = max(2, math.ceil(duration / dt * (1 - 1e-12)) + 1)
    if samples > MOST_SAMPLES:
        raise InputError(
            f"duration = {duration!r} s in steps of {dt:.4g} s would be {samples:.3g} samples: at "
            f"most {MOST_SAMPLES:.3g} are kept. Give a shorter duration or a longer step."
        )
    return samples


def cut(motion: Motion, samples: int) -> Motion:
    """The first ``samples`` of a motion."""
    return motion if samples >= len(motion) else motion.mapped(lambda values: values[:samples])


def _round_down(dt: float) -> float:
    """The largest 1, 2 or 5 times a power of ten not above ``dt``."""
    power = 10.0 ** math.floor(math.log10(dt))
    return max(step * power for step in (1, 2, 5) if step * power <= dt)
