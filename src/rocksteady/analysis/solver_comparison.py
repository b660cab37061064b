"""Can general solvers follow adhesion and slip? Casalotti et al. 2025, Table 3.

SciPy's solvers stand in for MATLAB's."""

import math
import time
import warnings
from typing import Any, Literal, get_args

import numpy as np
from scipy.integrate import solve_ivp

from rocksteady.analysis.pushover import PushoverResponse, pushover
from rocksteady.analysis.ramps import Ramp, ramp
from rocksteady.bodies.masonry import MasonryBuilding
from rocksteady.errors import InputError
from rocksteady.numbers import positive
from rocksteady.numerics.types import Array

Solver = Literal["RK23", "RK45", "DOP853", "Radau", "BDF", "LSODA"]
SOLVERS: tuple[Solver, ...] = get_args(Solver)
PATIENCE = 200_000  # calls of the right-hand side after which a solver is given up
FOLLOWED = 0.5  # of the slip in a phase: with less of it a slip, with more of it a return is missed


class _TooMany(Exception):  # noqa: N818
    """The solver asked too often."""


class MasonryLaw:
    """The rate equations (1), (2) of the paper with the consistent H; y = (τ, g, α, w)."""

    def __init__(self, building: MasonryBuilding, ramp: Ramp) -> None:
        self.b, self.ramp, self.calls = building, ramp, 0

    def hardening(self, alpha: float, w: float) -> tuple[float, float, float, float]:
        b, q = self.b, max(1 - w, 1e-6)
        e = math.exp(min(-b.hardening_rate * alpha / q, 50.0))
        A = b.hardening_limit * q * (1 - q * e)
        A_alpha = b.hardening_rate * b.hardening_limit * q * e
        A_w = b.hardening_limit * ((2 * q + b.hardening_rate * alpha) * e - 1)
        ratio = ((3 * q + b.hardening_rate * alpha) * q * e - 3) / b.hardening_rate
        return A, A_alpha, A_w, b.hardening_limit * (alpha + ratio)

    def F(self, y: Array) -> float:
        tau, _, alpha, w = (float(number) for number in y)
        return abs(tau) / max(1 - w, 1e-6) - self.b.threshold - self.hardening(alpha, w)[0]

    def rates(self, t: float, y: Array, slips: bool | None = None) -> list[float]:
        """Time rates; whether it slips is read off F and its rate unless told."""
        self.calls += 1
        if self.calls > PATIENCE:
            raise _TooMany
        b, speed = self.b, self.ramp.rate(t)
        tau, g, alpha, w = (float(number) for number in y)
        q, side = max(1 - w, 1e-6), math.copysign(1.0, tau)
        if slips is None:
            slips = self.F(y) >= 0 and side * speed > 0
        if not slips:
            return [b.stiffness * q * speed, 0.0, 0.0, 0.0]
        _, A_alpha, A_w, stored = self.hardening(alpha, w)
        x = float(self.ramp.at(t)) - g
        W = b.stiffness * x * x / 2 + stored
        D = (max(W, 0.0) / b.wear_energy) ** b.wear_exponent
        inverse_H = A_alpha + (A_w - abs(tau) / q**2) * D
        left = inverse_H + b.stiffness * (1 + D * side * x) / q
        alpha_rate = side * b.stiffness * speed / left
        return [
            side * inverse_H * q * alpha_rate,
            side * alpha_rate / q,
            alpha_rate,
            D * alpha_rate,
        ]


def compare_solvers(
    building: MasonryBuilding | None = None,
    history: Ramp | str = "1.3",
    *,
    steps: int = 2000,
    rtol: float = 1e-3,
    atol: float = 1e-6,
    solvers: tuple[Solver, ...] = SOLVERS,
) -> list[dict[str, Any]]:
    """Push a building through a ramp with SciPy's solvers and with both updates of this package.

    This is Table 3 of Casalotti et al. 2025. A solver with events is stopped at every change
    between adhesion and slip and started again, as in the paper; without events the regime is read
    off the state whenever the right-hand side is asked for.

    Parameters
    ----------
    building
        The building (default: the paper's). Its mass does not matter: the push is slow.
    history
        A ramp, or the name of one of Table 2.
    steps
        Equal steps of time in which this package follows the ramp [-].
    rtol, atol
        Relative and absolute tolerance of the solvers, for τ [N/m²], g [m], α [m] and w [-] alike;
        by default SciPy's, which are MATLAB's, too.
    solvers
        Names of SciPy's solvers.

    Returns
    -------
    list of dict
        A row for each solver without and with ``events``, and one for each update: ``solver``,
        ``steps`` taken, ``missed returns`` and ``missed slips``, ``error [%]`` of the final wear,
        ``F [%]``, the largest |F|/τ_0 where it should be zero, ``seconds``, and a ``note`` where a
        solver gave up. The measure is the accurate update in 400 000 steps: a return counts as
        missed where the interface goes on slipping by half of what it slips in a phase on average,
        a slip where it does less than half of its own.
    """
    building = building or MasonryBuilding.casalotti2025()
    path = ramp(history) if isinstance(history, str) else history
    positive("rtol", rtol)
    positive("atol", atol)
    for solver in solvers:
        if solver not in SOLVERS:
            raise InputError(f"There is no solver {solver!r} here: use {', '.join(SOLVERS)}.")
    truth = _Truth(pushover(building, path.history(400_000)), path)
    rows = [
        _scipy(MasonryLaw(building, path), solver, events, rtol, atol, truth)
        for solver in solvers
        for events in (False, True)
    ]
    own = [_ours(building, path, how, steps, truth) for how in ("explicit", "accurate")]
    return [*rows, *own]


class _Truth:
    """The phases of adhesion and slip that there are, and how much α grows in each."""

    def __init__(self, exact: PushoverResponse, path: Ramp) -> None:
        self.wear = float(exact.wear[-1])
        slips = np.abs(exact.mode) == 1
        edges = np.flatnonzero(slips[1:] != slips[:-1])
        ends = np.concatenate([edges, [len(slips) - 1]])
        self.phases = list(zip(edges, ends[1:], strict=True))  # without the first, elastic one
        self.slips = [bool(slips[last]) for _, last in self.phases]
        self.time = np.linspace(0, path.t_max, len(slips))
        self.alpha = exact.hardening
        self.usual = float(self.alpha[-1]) / max(sum(self.slips), 1)

    def compared(self, time: Array, alpha: Array, wear: float) -> dict[str, Any]:
        """How many elastic returns and how many slips another solution did not follow, and the
        error of its final wear."""
        returns = slips = 0
        for (first, last), slip in zip(self.phases, self.slips, strict=True):
            a, b = np.interp([self.time[first], self.time[last]], time, alpha)
            if slip:
                slips += b - a < FOLLOWED * (self.alpha[last] - self.alpha[first])
            else:
                returns += b - a > FOLLOWED * self.usual
        error = 100 * (wear / self.wear - 1)
        return {"missed returns": int(returns), "missed slips": int(slips), "error [%]": error}


def _ours(
    building: MasonryBuilding, path: Ramp, update: str, steps: int, truth: _Truth
) -> dict[str, Any]:
    history = path.history(steps)
    pushover(building, history, update)  # compiled before the clock starts
    begin = time.perf_counter()
    response = pushover(building, history, update)
    seconds = time.perf_counter() - begin
    slips = np.abs(response.mode) == 1
    off = float(np.abs(response.slip_function[slips]).max()) / building.threshold
    when, wear = np.linspace(0, path.t_max, steps + 1), float(response.wear[-1])
    found = {"steps": steps, **truth.compared(when, response.hardening, wear), "F [%]": 100 * off}
    return {"solver": f"ours, {update}", "events": None, **found, "seconds": seconds, "note": ""}


def _scipy(
    law: MasonryLaw, solver: Solver, events: bool, rtol: float, atol: float, truth: _Truth
) -> dict[str, Any]:
    run = with_events if events else without_events
    row: dict[str, Any] = {"solver": solver, "events": events}
    nothing = ("steps", "missed returns", "missed slips", "error [%]", "F [%]")
    begin = time.perf_counter()
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            when, states, slips = run(law, solver, rtol, atol)
    except (_TooMany, RuntimeError, ValueError, OverflowError) as error:
        seconds = time.perf_counter() - begin
        why = f"gave up after {PATIENCE} evaluations" if isinstance(error, _TooMany) else str(error)
        return {**row, **dict.fromkeys(nothing), "seconds": seconds, "note": why}
    seconds = time.perf_counter() - begin
    F = np.array([law.F(state) for state in states])
    off = float(np.abs(F[slips]).max(initial=0.0)) / law.b.threshold
    found = truth.compared(when, states[:, 2], float(states[-1, 3]))
    row |= {"steps": len(states) - 1, **found, "F [%]": 100 * off}
    return {**row, "seconds": seconds, "note": ""}


def without_events(
    law: MasonryLaw, solver: Solver, rtol: float, atol: float
) -> tuple[Array, Array, Any]:
    got = solve_ivp(law.rates, (0, law.ramp.t_max), np.zeros(4), solver, rtol=rtol, atol=atol)
    if not got.success:
        raise RuntimeError(got.message)
    slips = [
        law.F(y) >= 0 and y[0] * law.ramp.rate(t) > 0 for t, y in zip(got.t, got.y.T, strict=True)
    ]
    return got.t, got.y.T, np.array(slips)


def with_events(
    law: MasonryLaw, solver: Solver, rtol: float, atol: float
) -> tuple[Array, Array, Any]:
    """Phase after phase: adhesion until F rises through zero, slip until the velocity turns."""

    def slip_starts(t: float, y: Array, slips: bool) -> float:
        return law.F(y)

    def slip_ends(t: float, y: Array, slips: bool) -> float:
        return law.ramp.rate(t) * (1.0 if y[0] >= 0 else -1.0)

    t, y, slips = 0.0, np.zeros(4), False
    times, states, modes = [0.0], [y], [False]
    end = law.ramp.t_max
    while t < end:
        event: Any = slip_ends if slips else slip_starts
        event.terminal, event.direction = True, -1.0 if slips else 1.0
        got = solve_ivp(
            law.rates, (t, end), y, solver, events=event, args=(slips,), rtol=rtol, atol=atol
        )
        if not got.success:
            raise RuntimeError(got.message)
        times.extend(got.t[1:])
        states.extend(got.y.T[1:])
        modes.extend([slips] * (len(got.t) - 1))
        if got.status == 0:
            break
        t, y, slips = float(got.t[-1]), got.y[:, -1], not slips
    return np.array(times), np.array(states), np.array(modes)
