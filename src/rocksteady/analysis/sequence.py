"""Sequences of shocks on a masonry building that carries its damage from one to the next."""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from rocksteady.bodies.masonry import MasonryBuilding
from rocksteady.bodies.system import expect
from rocksteady.engine.drivers import make_trace
from rocksteady.errors import InputError, heard
from rocksteady.motion import Motion
from rocksteady.motion.upwards import warn_of_ignored, warn_of_verticals
from rocksteady.numbers import finite, has_truths
from rocksteady.numerics.types import Array, Numbers
from rocksteady.registry import imported
from rocksteady.theories.contract import FAILURE, OVERTURN
from rocksteady.theories.masonry.formulation import Masonry
from rocksteady.theories.registry import suitable

if TYPE_CHECKING:
    from matplotlib.figure import Figure


@dataclass(frozen=True, eq=False)
class Shock:
    """One shock of a sequence and the quiet time after it; arrays have an entry per sample."""

    name: str
    start: float
    """Time of its first sample [s]."""
    motion: Motion
    """The ground motion, including the quiet time after the shock."""
    states: Array
    """A row per sample; `Masonry.columns` names the columns."""
    events: Array
    """A row per event: time [s], kind, u, v before, v after; including events between the previous
    shock and the first sample."""

    @cached_property
    def time(self) -> Array:
        """Time of each sample from the beginning of the sequence [s]."""
        return self.start + self.motion.time[: len(self.states)]

    @property
    def collapse(self) -> float | None:
        """When the building collapsed [s], or None."""
        return self._when(OVERTURN)

    @property
    def failed(self) -> float | None:
        """When the method failed [s], or None. The arrays end there, and the result says nothing
        about the building."""
        return self._when(FAILURE)

    def _when(self, kind: int) -> float | None:
        met = self.events[self.events[:, 1] == kind]
        return float(met[0, 0]) if len(met) else None

    @property
    def peak(self) -> float:
        """Largest |u| [m], turning points between samples included."""
        return float(max(np.abs(self.states[:, 0]).max(), np.abs(self.events[:, 2]).max(initial=0)))

    def row(self) -> dict[str, Any]:
        """Summary, by name and unit."""
        last = self.states[-1]
        return {
            "shock": self.name,
            "pga [m/s²]": self.motion.pga,
            "peak |u| [m]": self.peak,
            "slip [m]": float(last[2]),
            "hardening [m]": float(last[3]),
            "wear [-]": float(last[4]),
            "collapse [s]": self.collapse,
            "failed [s]": self.failed,
        }

    def __repr__(self) -> str:
        return (
            f"<Shock: {self.name}, largest |u| = {1e3 * self.peak:.4g} mm, "
            f"wear {self.states[-1, 4]:.4g}{self.outcome}>"
        )

    @property
    def outcome(self) -> str:
        """How it ended, as the end of a sentence; empty if it ran to its end."""
        if self.failed is not None:
            return f", no solution after {self.failed:.4g} s"
        return "" if self.collapse is None else f", collapses at {self.collapse:.4g} s"


@dataclass(frozen=True, eq=False)
class SequenceResponse:
    """The response of a building to a sequence of shocks, and to the main shock alone."""

    building: MasonryBuilding
    shocks: tuple[Shock, ...]
    main: int
    """Index of the main shock."""
    alone: Shock
    """The main shock on the unworn building, at its time in the sequence."""
    warnings: tuple[str, ...] = ()
    """What the run warned of, each sentence once."""

    @cached_property
    def time(self) -> Array:
        """Time of each sample [s]."""
        return np.concatenate([shock.time for shock in self.shocks])

    @cached_property
    def states(self) -> Array:
        """The state at each sample; `Masonry.columns` names the columns."""
        return np.concatenate([shock.states for shock in self.shocks])

    @property
    def hardening(self) -> Array:
        """Hardening variable α [m] at each sample."""
        return self.states[:, 3]

    @property
    def wear(self) -> Array:
        """Wear w [-] at each sample."""
        return self.states[:, 4]

    @property
    def collapse(self) -> float | None:
        """When the building collapsed [s], or None."""
        return self.shocks[-1].collapse

    @property
    def failed(self) -> float | None:
        """When the method failed [s], or None."""
        return self.shocks[-1].failed

    @property
    def wear_increase(self) -> float:
        """Wear after the main shock over wear after the main shock alone, minus one: 0.5 means that
        the foreshocks raised the final wear by half. Infinite if the building collapsed before the
        main shock; NaN if the main shock alone causes no wear, or if one of the two runs failed."""
        return self._increase(4)

    @property
    def hardening_increase(self) -> float:
        """The same for the hardening variable α."""
        return self._increase(3)

    def _increase(self, column: int) -> float:
        to_main = self.shocks[: self.main + 1]
        if to_main[-1].failed is not None or self.alone.failed is not None:
            return math.nan
        if self.main >= len(self.shocks):  # it collapsed before
            return math.inf
        alone = float(self.alone.states[-1, column])
        together = float(self.shocks[self.main].states[-1, column])
        return together / alone - 1 if alone > 0 else math.nan

    def rows(self) -> list[dict[str, Any]]:
        """A row for each shock in turn, and one for the main shock alone."""
        return [*(shock.row() for shock in self.shocks), self.alone.row()]

    def plot(self, path: str | Path | None = None) -> "Figure":
        """Plot the ground motion, α and w through the sequence (the paper's Fig. 13)."""
        return imported("rocksteady.view.masonry:plot_sequence")(self, path)  # type: ignore[no-any-return]

    def animate(self, path: str | Path, **options: Any) -> Path:
        """Write a film of the force–displacement loop to ``.gif`` or ``.mp4``; ``options`` as in
        ``rocksteady.view.masonry_film.animate``."""
        film = imported("rocksteady.view.masonry_film:animate")
        return film(self, Path(path), **options)  # type: ignore[no-any-return]

    def __repr__(self) -> str:
        count, alone = len(self.shocks), self.alone.states[-1, 4]
        return (
            f"<SequenceResponse: {count} shock{'s' * (count != 1)}, wear {self.wear[-1]:.4g} "
            f"({alone:.4g} by the main shock alone){self.shocks[-1].outcome}>"
        )


def sequence(
    building: MasonryBuilding,
    motions: Sequence[Motion],
    formulation: Masonry | None = None,
    *,
    gap: float = 10.0,
    settle: bool = False,
    main: int | None = None,
) -> SequenceResponse:
    """Shake ``building`` by one motion after the other; τ, g, α and w are carried over.

    If all motions have the same time step, this is the response to ``first.then(second, gap)…``,
    bit for bit, with a quiet time after the last shock as well.

    Parameters
    ----------
    building
        The building, unworn.
    motions
        The shocks in order; each keeps its own time step.
    formulation
        :class:`rocksteady.Masonry` by default.
    gap
        Zero acceleration after each shock [s], in whole samples as in :meth:`Motion.then`: the last
        sample and the next shock's first are one time step apart. An undamped building keeps
        vibrating during the gap.
    settle
        Let that vibration die out before the next shock (days between them): at the shock's first
        sample the building is at rest in its slipped position, u = g, τ = 0.
    main
        Index of the main shock, from 0; by default the shock with the largest PGA.
    """
    with heard() as said:
        response = _sequence(building, motions, formulation, gap, settle, main)
    return replace(response, warnings=tuple(said)) if said else response


def _sequence(
    building: MasonryBuilding,
    motions: Sequence[Motion],
    formulation: Masonry | None,
    gap: float,
    settle: bool,
    main: int | None,
) -> SequenceResponse:
    how = _formulation(formulation, building)
    motions = _checked(motions)
    gap = finite("gap", gap, "s", minimum=0.0)
    main = _main_shock(main, motions)
    grounds = [_rested(motion, gap, f"shock {i + 1}") for i, motion in enumerate(motions)]
    warn_of_verticals(motions)
    warn_of_ignored(motions, how.name, how.components)
    unworn = how.start(building)
    shocks = [_shake(how, building, unworn, grounds[0], 0.0)]
    starts = [0.0]
    for before, ground in pairwise(grounds):
        starts.append(starts[-1] + before.duration + ground.dt)
        last = shocks[-1]
        if last.collapse is not None or last.failed is not None:
            continue  # but the start of a later main shock is still needed
        state = tuple(last.states[-1].tolist())
        if settle:
            shock = _shake(how, building, _settled(building, state), ground, starts[-1])
        else:
            shock = _shake(how, building, state, ground, starts[-1], before.accel[-1])
        shocks.append(shock)
    same = grounds[main]
    same = Motion(same.accel, same.dt, name=f"{same.name} alone")
    alone = _shake(how, building, unworn, same, starts[main])
    return SequenceResponse(building, tuple(shocks), main, alone)


def _checked(motions: Sequence[Motion]) -> list[Motion]:
    if isinstance(motions, Motion):
        motions = [motions]
    motions = list(motions) if isinstance(motions, Iterable) else []
    if not motions or not all(isinstance(motion, Motion) for motion in motions):
        raise InputError("A sequence needs a list of motions, at least one: rs.Motion objects.")
    return motions


def _formulation(formulation: Masonry | None, building: object) -> Masonry:
    """The formulation; an error if the body or the formulation is of another type."""
    elsewhere = ": other bodies carry no damage over; join their motions with motion.then"
    building = expect(building, MasonryBuilding, "A sequence", elsewhere)
    return expect(suitable(formulation, building), Masonry, "A sequence of shocks")


def _main_shock(main: int | None, motions: list[Motion]) -> int:
    if main is None:
        return int(np.argmax([motion.pga for motion in motions]))
    if has_truths(main) or main not in range(-len(motions), len(motions)):
        raise InputError(
            f"main = {main!r} is not allowed: there are {len(motions)} motions, the first is 0."
        )
    return int(main) % len(motions)


def _rested(motion: Motion, gap: float, name: str) -> Motion:
    """The horizontal motion and the quiet time after it, as `Motion.then` joins them."""
    two = Motion(np.zeros(2), motion.dt)
    joined = motion.then(two, gap)
    return Motion(joined.accel[: -two.npts], motion.dt, name=motion.name or name)


def _shake(
    how: Masonry,
    building: MasonryBuilding,
    state: Numbers,
    ground: Motion,
    start: float,
    before: float | None = None,
) -> Shock:
    """One shock, from ``state`` at its first sample, or one time step earlier if the acceleration
    ``before`` is given."""
    trace = make_trace(how.advance_for(building))
    lead = 0 if before is None else 1
    accel = np.concatenate([np.full(lead, before, dtype=float), ground.accel])
    states = np.empty((len(accel), len(state)))
    rows, events, _ = trace(
        state,
        how.parameters(building),
        (accel, np.zeros(len(accel))),
        ground.dt,
        start / ground.dt - lead,
        states,
    )
    return Shock(ground.name, start, ground, states[lead:rows], events)


def _settled(building: MasonryBuilding, state: Numbers) -> Numbers:
    """The state after all vibration has died out."""
    u, v, g, alpha, w, _tau, _mode, work, loss, viscous = state
    springs = building.contact_area * building.stiffness * (1 - w) * (u - g) ** 2 / 2
    gone = springs + building.mass * v**2 / 2
    return (g, 0.0, g, alpha, w, 0.0, 0.0, work, loss + gone, viscous + gone)
