"""Run one body under one ground motion: `simulate`, and `Stream` for samples that arrive live."""

from __future__ import annotations

import math
import warnings
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rocksteady.engine.drivers import make_stream, make_trace
from rocksteady.errors import InputError, RocksteadyWarning
from rocksteady.formulations import Formulation, formulation_named
from rocksteady.formulations.contract import FAILURE, NOTHING, OVERTURN, Array, Numbers
from rocksteady.motion import Motion
from rocksteady.numbers import finite, positive, real
from rocksteady.response import Response, Status, lost
from rocksteady.systems import SYSTEMS, MasonryBuilding, System

AFTERMATH = (
    600.0  # s; after the ground has stopped, follow it to rest or fall for at most this long
)
USUAL = {"Block": "Housner", "FlexibleOscillator": "Nonsmooth", "MasonryBuilding": "Masonry"}
MOST_SAMPLES = 100_000_000
FREE_STEPS = 50  # samples in 1/p when no motion sets the sampling


def simulate(
    system: System,
    motion: Motion | None = None,
    formulation: Formulation | None = None,
    *,
    theta0: float = 0.0,
    omega0: float = 0.0,
    duration: float | None = None,
) -> Response:
    """Let ``motion`` shake ``system`` and follow what happens.

    Parameters
    ----------
    system
        The body.
    motion
        The ground motion; None for free rocking from ``theta0`` and ``omega0``.
    formulation
        How it moves; the usual one for the body unless given: :class:`Housner` for a block.
    theta0, omega0
        Rotation [rad] and angular velocity [rad/s] at the start (of a building: displacement [m]
        and velocity [m/s]).
    duration
        Length of the run [s]. Unless given: the whole motion, and on until the body has come to
        rest or fallen (at most ten minutes).

    Examples
    --------
    >>> import rocksteady as rs
    >>> statue = rs.Block(height=1.8, width=0.5)
    >>> push = rs.pulses.sine(amplitude=3.0, period=0.8)
    >>> rs.simulate(statue, push).status
    <Status.AT_REST: 'at rest'>
    """
    formulation = suitable(formulation, system)
    params = formulation.parameters(system)
    state = formulation.start(system, *_initial(system, theta0, omega0))
    ground = _ground(system, motion, formulation, idle=theta0 == omega0 == 0)
    runner = _Runner(formulation, system, params, state, ground.dt)

    if duration is None:
        runner.run(ground)
        runner.run_until_settled(AFTERMATH)
        ground_stopped = True
    else:
        samples = _samples(duration, ground.dt)
        ground_stopped = samples >= len(ground)
        ground = _cut(ground, samples)
        runner.run(ground)
        if samples > len(ground):
            runner.run(Motion(np.zeros(samples - len(ground) + 1), ground.dt))
    response = runner.response(ground, ground_stopped)
    doubt = getattr(formulation, "doubt", lambda system, states: None)(system, response.states)
    if doubt is not None:
        warnings.warn(doubt, RocksteadyWarning, stacklevel=2)
    return response


class _Runner:
    """One run, piece after piece, each going on where the last one ended."""

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

    @property
    def last_event(self) -> int:
        return int(self.events[-1][-1, 1]) if self.events and len(self.events[-1]) else 0

    @property
    def over(self) -> bool:
        return self.last_event in (OVERTURN, FAILURE)

    def run(self, ground: Motion) -> None:
        if self.over or len(ground) < 2:
            return
        states = np.empty((len(ground), len(self.state)))
        a_h = np.array(ground.accel)  # copies: the compiled driver knows one kind of array
        a_v = np.zeros(len(a_h)) if ground.vertical is None else np.array(ground.vertical)
        start = (self.samples - 1) * self.dt
        rows, events, self.state = self.trace(
            self.state, self.params, a_h, a_v, self.dt, start, states
        )
        self.states.append(states[1:rows])
        self.events.append(events)
        self.samples += rows - 1
        columns = self.formulation.columns(self.system)
        if lost(columns, np.array(self.state)):
            self.fail(int(np.argmax(lost(columns, states[:rows]))) - 1)

    def run_until_settled(self, longest: float) -> None:
        """Go on with the ground at rest until the body is, too, or has fallen."""
        piece = Motion.zeros(duration=10.0, dt=self.dt)
        end = self.samples + math.ceil(longest / self.dt)
        while not (self.over or self.resting(self.states[-1][-1]) or self.samples >= end):
            self.run(piece)
            quiet = self.resting(self.states[-1])
            if quiet.any():
                self.keep(int(np.argmax(quiet)) + 1)

    def keep(self, rows: int) -> None:
        """Only so many samples of the last piece, and the events until then."""
        self.samples -= len(self.states[-1]) - rows
        self.states[-1] = self.states[-1][:rows]
        end_time = (self.samples - 1) * self.dt
        self.events[-1] = self.events[-1][self.events[-1][:, 0] <= end_time]

    def fail(self, rows: int) -> None:
        """The numbers end after so many samples of the last piece: there the method has failed."""
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
        if not self.over and ground_stopped and self.formulation.doomed(self.system, states[-1]):
            event = OVERTURN
        status = status_after(event, self.formulation, self.system, states[-1])
        for array in (states, events):
            array.setflags(write=False)
        return Response(self.system, ground, self.formulation, states, events, status)


def status_after(event: int, formulation: Formulation, system: System, state: Array) -> Status:
    """How things stand in this state, when the event was the last that it met."""
    if event == FAILURE:
        return Status.FAILED
    if event == OVERTURN:
        building = isinstance(system, MasonryBuilding)
        return Status.COLLAPSED if building else Status.OVERTURNED
    return Status.AT_REST if formulation.at_rest(system, state) else Status.MOVING


def suitable(formulation: Formulation | None, system: System) -> Formulation:
    """The formulation, or the usual one for this kind of body."""
    kind = type(system)
    if kind not in SYSTEMS.values():
        raise InputError(
            f"{system!r} is not a body: give a {' or a '.join(SYSTEMS)} first, then the motion."
        )
    given: object = formulation
    if isinstance(given, type):
        raise InputError(f"{given.__name__} is a class: did you mean {given.__name__}()?")
    if given is not None and not isinstance(given, Formulation):
        raise InputError(f"{given!r} is not a formulation: give one such as rs.Housner().")
    usual = formulation_named(USUAL[kind.__name__])()
    how: Formulation = formulation or usual
    if not isinstance(system, how.bodies):
        able = " or a ".join(body.__name__ for body in how.bodies)
        raise InputError(
            f"{how.name} moves a {able}, not a {kind.__name__}: use {usual.name} for that."
        )
    return how


def suitable_at(dt: float, formulation: Formulation | None, system: System) -> Formulation:
    """The formulation, or the usual one, for samples every ``dt`` [s] that come as they are."""
    how, dt = suitable(formulation, system), positive("dt", dt, "s")
    prescribed = how.time_step(system)
    if prescribed is not None and not math.isclose(dt, prescribed, rel_tol=1e-9):
        raise InputError(
            f"dt = {dt!r} s would change the physics: {how.name} loses energy by its time step, "
            f"here {prescribed!r} s. Resample to that, or give the formulation dt={dt!r}."
        )
    return how


def _initial(system: System, theta0: float, omega0: float) -> tuple[float, float]:
    if isinstance(system, MasonryBuilding):
        return finite("theta0", theta0, "m"), finite("omega0", omega0, "m/s")
    theta0, omega0 = finite("theta0", theta0, "rad"), finite("omega0", omega0, "rad/s")
    if abs(theta0) >= math.pi / 2:
        raise InputError(
            f"theta0 = {theta0!r} rad lies on its side: |theta0| must be less than π/2. "
            "Angles are in radians."
        )
    return theta0, omega0


def _ground(
    system: System, motion: Motion | None, formulation: Formulation, *, idle: bool
) -> Motion:
    """The ground motion at the formulation's step."""
    if motion is None:
        if idle:
            raise InputError(
                "Nothing would move: give a motion, or an initial rotation theta0 or velocity "
                "omega0 that is not zero."
            )
        rate = system.natural_frequency if isinstance(system, MasonryBuilding) else system.p
        dt = formulation.time_step(system) or _round_down(1 / (FREE_STEPS * rate))
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
    if motion.vertical is not None:
        formulation.check_vertical(system, motion.vertical)
    return motion


def _samples(duration: float, dt: float) -> int:
    """How many samples reach the end of ``duration``."""
    samples = max(2, math.ceil(positive("duration", duration, "s") / dt * (1 - 1e-12)) + 1)
    if samples > MOST_SAMPLES:
        raise InputError(
            f"duration = {duration!r} s in steps of {dt:.4g} s would be {samples:.3g} samples: at "
            f"most {MOST_SAMPLES:.3g} are kept. Give a shorter duration or a longer step."
        )
    return samples


def _cut(motion: Motion, samples: int) -> Motion:
    """The first so many samples of a motion."""
    if samples >= len(motion):
        return motion
    vertical = None if motion.vertical is None else motion.vertical[:samples]
    return Motion(motion.accel[:samples], motion.dt, vertical, motion.name, motion.meta)


def _round_down(dt: float) -> float:
    """The largest 1, 2 or 5 times a power of ten not above ``dt``."""
    power = 10.0 ** math.floor(math.log10(dt))
    return max(step * power for step in (1, 2, 5) if step * power <= dt)


@dataclass(frozen=True)
class Sample:
    """What one live sample did: state after it, the largest |θ| on the way, impacts, status."""

    time: float
    theta: float
    omega: float
    extreme: float
    impacts: int
    status: Status


class Stream:
    """Follow a body live: one ground sample at a time, with the same result as :func:`simulate`.

    Examples
    --------
    >>> import rocksteady as rs
    >>> live = rs.Stream(rs.Block(height=1.8, width=0.5), dt=0.01)
    >>> live.push(0.0).status
    <Status.AT_REST: 'at rest'>
    """

    def __init__(
        self, system: System, formulation: Formulation | None = None, *, dt: float
    ) -> None:
        self.system, self.formulation = system, suitable_at(dt, formulation, system)
        self.dt = float(dt)
        self._params = self.formulation.parameters(system)
        self._state = self.formulation.start(system, 0.0, 0.0)
        self._walk = make_stream(self.formulation.advance_for(system))
        self._ground: tuple[float, float] | None = None
        self._samples = 0
        self._event = NOTHING

    def __repr__(self) -> str:
        taken = f"{self._samples} sample{'s' * (self._samples != 1)} of {self.dt:g} s"
        name = self.formulation.name
        return f"<Stream of a {self.system.label}: {self._status().value}, {taken}, {name}>"

    @property
    def state(self) -> Numbers:
        """The exact state after the last sample, as ``formulation.columns(system)`` names it."""
        return self._state

    def push(self, a_h: float, a_v: float = 0.0) -> Sample:
        """Take the next sample of the ground's acceleration [m/s²]."""
        if not (math.isfinite(real(a_h)) and math.isfinite(real(a_v))):
            raise InputError(
                f"Sample ({a_h!r}, {a_v!r}) m/s² is no number or not finite: leave it out."
            )
        self.formulation.check_vertical(self.system, np.array([a_v]))
        ground, extreme, impacts = (float(a_h), float(a_v)), abs(self._state[0]), 0
        if self._ground is not None and self._event not in (OVERTURN, FAILURE):
            self._state, _, high, low, _, impacts, self._event = self._walk(
                self._state, self._params, self._ground, ground, self.dt
            )
            extreme = max(high, -low)
            if lost(self.formulation.columns(self.system), np.array(self._state)):
                self._event = FAILURE
        self._ground = ground
        self._samples += 1
        return Sample(
            (self._samples - 1) * self.dt,
            self._state[0],
            self._state[1],
            extreme,
            int(impacts),
            self._status(),
        )

    def _status(self) -> Status:
        return status_after(self._event, self.formulation, self.system, np.array(self._state))
