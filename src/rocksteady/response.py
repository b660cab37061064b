"""What came out: histories, events, energies, and how it ended."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from rocksteady.engine.drivers import EVENT_FIELDS
from rocksteady.errors import InputError
from rocksteady.formulations.contract import IMPACT, Array, Formulation
from rocksteady.motion import Motion
from rocksteady.motion.readers._source import checked_path
from rocksteady.systems import MasonryBuilding, Rocker, System

if TYPE_CHECKING:
    import xarray
    from matplotlib.figure import Figure

    from rocksteady.analysis.fall import Fall


class Status(Enum):
    """How a run ended; ``advice`` says what that means for the person who asked."""

    AT_REST = "at rest"
    MOVING = "moving"
    OVERTURNED = "overturned"
    COLLAPSED = "collapsed"
    FAILED = "failed"

    @property
    def advice(self) -> str:
        """One sentence: what it means and what to do about it."""
        return _ADVICE[self]


_ADVICE = {
    Status.AT_REST: "It came to rest under this one motion. Its peak is no margin: another "
    "motion, or this one a little stronger, may overturn it. Many motions tell how often.",
    Status.MOVING: "It was still moving when the run ended: give a longer duration to see it out.",
    Status.OVERTURNED: "It fell under this one motion. Only many motions tell how often it falls, "
    "and whether a wider base or a lower centre of mass helps: in a single run either may hurt.",
    Status.COLLAPSED: "The building's interface is worn out and carries no more load, under these "
    "shocks; the response's fall says when. Many motions tell how often, and what helps.",
    Status.FAILED: "The method found no answer: use a finer motion (resampled) or another "
    "formulation, and distrust what was computed so far.",
}


def table(**columns: NDArray[Any]) -> np.recarray[Any, Any]:
    """Columns of equal length as one array: ``t.time``, ``t["time"]`` and ``t[0]`` all work."""
    kinds = [(name, column.dtype) for name, column in columns.items()]
    return np.rec.fromarrays(list(columns.values()), dtype=kinds)


ACCOUNTS = ("work", "loss", "viscous")  # energies beside the motion; a batch may leave them out


def lost(columns: tuple[str, ...], states: Array) -> NDArray[np.bool_]:
    """Which rows of ``states`` say no longer where the body is and how fast: not finite, so the
    method has failed there. The energies that are only kept account of do not matter."""
    moving = [full.split(" [")[0] not in ACCOUNTS for full in columns]
    return np.asarray(~np.isfinite(states[..., moving]).all(axis=-1))


def lifted(formulation: Formulation, system: System, states: Array) -> NDArray[np.bool_] | None:
    """In which rows of ``states`` a corner is off its soft bed; None where a formulation does not
    tell."""
    ask = getattr(formulation, "lifted", None)
    return None if ask is None else ask(system, states)


def passages_through_zero(
    time: Array,
    theta: Array,
    omega: Array,
    resting: NDArray[np.bool_] | None = None,
    lifted: NDArray[np.bool_] | None = None,
) -> tuple[Array, Array, NDArray[np.intp]]:
    """When θ passes zero, taken as straight between samples, ω there, and the sample before.

    θ = 0 lies on neither side: it belongs to the last side before it, at the start to the first
    one after, so that a mirror image passes at the same times. On a soft bed only some passages
    are impacts: not those between samples that are ``resting``, and only those at the end of a
    swing in which a corner was ``lifted``. A body that stands on its bed trembles for ever.
    """
    leans = np.flatnonzero(theta)
    if not len(leans):
        return np.empty(0), np.empty(0), leans
    last = np.searchsorted(leans, np.arange(len(theta)), side="right") - 1
    right = theta[leans[np.maximum(last, 0)]] > 0
    passes = right[1:] != right[:-1]
    if lifted is not None:
        swing = np.concatenate([[0], np.cumsum(passes)])  # its number, for each sample
        in_air = np.bincount(swing, weights=lifted) > 0
        passes &= in_air[swing[:-1]]
    if resting is not None:
        passes &= ~(resting[1:] | resting[:-1])
    before = np.flatnonzero(passes)
    share = theta[before] / (theta[before] - theta[before + 1])
    when = time[before] + share * (time[before + 1] - time[before])
    return when, omega[before] + share * (omega[before + 1] - omega[before]), before


@dataclass(frozen=True, eq=False)
class Response:
    """The response of one body to one ground motion.

    Made by :func:`rocksteady.simulate`; arrays have one entry per sample of ``time``.
    """

    system: System
    motion: Motion
    """The ground motion as it was used, at the step of the run; then the ground stands still."""
    formulation: Formulation
    states: Array
    """One row per sample; ``columns`` names the columns."""
    events: Array
    """One row per event: time [s], kind, coordinate, rate before, rate after."""
    status: Status

    # -- histories --------------------------------------------------------------------------

    @cached_property
    def time(self) -> Array:
        """Time of each sample [s]."""
        return np.asarray(np.arange(len(self.states)) * self.motion.dt, float)

    @cached_property
    def ground(self) -> tuple[Array, Array]:
        """Horizontal and vertical acceleration of the ground at each sample [m/s²]."""
        n = len(self.states)

        def fitted(accel: Array) -> Array:
            return np.concatenate([accel[:n], np.zeros(max(n - len(accel), 0))])

        vertical = self.motion.vertical
        return fitted(self.motion.accel), np.zeros(n) if vertical is None else fitted(vertical)

    @property
    def columns(self) -> tuple[str, ...]:
        """Name and unit of each column of ``states``."""
        return self.formulation.columns(self.system)

    def has(self, name: str) -> bool:
        """Whether the state has a column of this name: not every formulation keeps the same."""
        return any(name in (full, full.split(" [")[0]) for full in self.columns)

    def column(self, name: str) -> Array:
        """A column of the state by its name, with or without the unit: ``column("omega")``."""
        for i, full in enumerate(self.columns):
            if name in (full, full.split(" [")[0]):
                return self.states[:, i]
        raise InputError(
            f"There is no column {name!r}: {self.formulation.name} has {list(self.columns)}."
        )

    @property
    def theta(self) -> Array:
        """Rotation θ [rad], positive when leaning towards +x."""
        return self.column("theta")

    @property
    def omega(self) -> Array:
        """Angular velocity ω [rad/s]."""
        return self.column("omega")

    @cached_property
    def impacts(self) -> np.recarray[Any, Any]:
        """A table of the impacts: ``time`` [s], ``omega_before`` and ``omega_after`` [rad/s].

        Where contact is soft nothing jumps: an impact is then a passage through θ = 0 at the end of
        a swing in which a corner left the bed, and both velocities are the one there. A body that
        vibrates with its whole base on the bed, or trembles within what the formulation calls
        rest, has none.
        """
        if self.formulation.compliant:
            resting = self.formulation.at_rest(self.system, self.states)
            in_air = lifted(self.formulation, self.system, self.states)
            theta, omega = self.states[:, :2].T
            time, rate, _ = passages_through_zero(self.time, theta, omega, resting, in_air)
            return table(time=time, omega_before=rate, omega_after=rate)
        rows = self.events[self.events[:, EVENT_FIELDS.index("kind")] == IMPACT]
        return table(time=rows[:, 0], omega_before=rows[:, 3], omega_after=rows[:, 4])

    # -- summary ----------------------------------------------------------------------------

    @cached_property
    def _largest_lean(self) -> tuple[float, float, float]:
        """(|θ|/α, θ, time) where |θ|/α is largest, turning points between samples included."""
        times, _, turning_points = self.events[:, :3].T
        theta = np.concatenate([self.states[:, 0], turning_points])
        lean = np.abs(self.system.relative(theta))
        k = int(np.argmax(lean))
        return float(lean[k]), float(theta[k]), float(np.concatenate([self.time, times])[k])

    @property
    def peak(self) -> float:
        """Largest |θ|/α reached, turning points between samples included; above 1 the block
        leant beyond its balance point. Of a building: largest |u| over its elastic limit."""
        return self._largest_lean[0]

    @property
    def peak_angle(self) -> float:
        """The rotation θ of the largest lean [rad]."""
        return self._largest_lean[1]

    @property
    def time_of_peak(self) -> float:
        """When it leant most [s]."""
        return self._largest_lean[2]

    @property
    def fall(self) -> Fall | None:
        """When [s] and which way it fell; None if it did not. After a fall ``peak`` means nothing:
        it is that of the lean at which the formulation ends the run."""
        from rocksteady.analysis.fall import fall

        return fall(self)

    @property
    def rocker(self) -> Rocker:
        """The body, if it is one that rocks."""
        if isinstance(self.system, MasonryBuilding):
            raise InputError("A building does not rock: it has no lean, decay or phase portrait.")
        return self.system

    @property
    def slide(self) -> float:
        """How far the base has slid when the run ends [m]; zero where it cannot."""
        return float(self.slide_history[-1])

    @cached_property
    def slide_history(self) -> Array:
        """How far the lower corner has moved along the ground [m]; zero where it cannot."""
        if self.has("slide"):
            return self.column("slide")
        slide = getattr(self.formulation, "slide", None)
        return np.zeros(len(self.states)) if slide is None else slide(self.system, self.states)

    @cached_property
    def energy(self) -> Array:
        """Mechanical energy [J], kinetic and potential; zero at rest upright."""
        return self.formulation.energy(self.system, self.states)

    @property
    def energy_balance(self) -> Array:
        """Work of the ground − losses at impacts − change of mechanical energy [J].

        Zero if the integration is right: the work is integrated as a state of its own.
        """
        change = self.energy - self.energy[0]
        return np.asarray(self.column("work") - self.column("loss") - change)

    def decay(self) -> np.recarray[Any, Any]:
        """The swings between impacts: ``n``, ``peak`` [|θ|/α], ``half_period`` [s] and ``r``, the
        share of its kinetic energy that the body keeps at the impact that ends the swing.

        Swing 0 is the one before the first impact; released at rest, its half period counts
        twice the time to that impact, as if the block had come through upright.

        ``r`` counts all that moves: turning, sliding, hopping, a column that bends. A swing lasts
        from one side to the other, or from uplift to rest: hops in between belong to one impact,
        and r is then 1 − what they take in all over the energy before the first. On a soft bed an
        impact takes time, and r is the ratio of the potential energies at the peaks before and
        after it; nan where the ground moves between them, or the run ends before the second.
        """
        from rocksteady.analysis.decay.measure import decay

        return decay(self)

    # -- out of the program -------------------------------------------------------------------

    def to_dataset(self) -> xarray.Dataset:
        """As a labelled dataset: histories over ``time``, events over ``event``."""
        from rocksteady.storage import to_dataset

        return to_dataset(self)

    def save(self, path: str | Path) -> Path:
        """Write to ``path``, whole or not at all: NetCDF (``.nc``) or text (``.csv``)."""
        from rocksteady.storage import save

        return save(self, Path(checked_path(path)))

    @classmethod
    def load(cls, path: str | Path) -> Response:
        """Read what :meth:`save` wrote."""
        from rocksteady.storage import load

        return load(Path(checked_path(path)))

    def plot(self, path: str | Path | None = None) -> Figure:
        """Figure of the ground motion, θ/α with the impacts, phase portrait and energy; of a
        building: displacement, wear, the force–displacement loop and energy."""
        if isinstance(self.system, MasonryBuilding):
            from rocksteady.view.masonry import plot_building

            return plot_building(self, path)
        from rocksteady.view.figures import plot_response

        return plot_response(self, path)

    def animate(self, path: str | Path, **options: Any) -> Path:
        """Film of the block as it rocks, to ``.gif`` or ``.mp4``."""
        from rocksteady.view.animation import animate

        return animate(self, Path(path), **options)

    def __repr__(self) -> str:
        if isinstance(self.system, MasonryBuilding):
            drift, wear = 1e3 * abs(self.peak_angle), self.column("w")[-1]
            what = f"largest |u| = {drift:.4g} mm, wear {wear:.4g}"
        else:
            impacts, fell = len(self.impacts), self.fall
            what = f"peak |θ|/α = {self.peak:.4g}" if fell is None else str(fell)
            what += f", {impacts} impact{'s' * (impacts != 1)}"
        name, end = self.formulation.name, self.time[-1]
        return f"<Response: {self.status.value}, {what} in {end:.4g} s, {name}>"
