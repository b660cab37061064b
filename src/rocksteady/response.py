"""The result of a run: histories, events, energies and status."""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from rocksteady.bodies import Coordinate, Rocker, System, expect
from rocksteady.engine.drivers import EVENT_FIELDS
from rocksteady.engine.ground import samples_of
from rocksteady.errors import InputError
from rocksteady.files import checked_path
from rocksteady.motion import Motion
from rocksteady.numerics.types import Array
from rocksteady.registry import as_modules, imported
from rocksteady.status import Fall, Status
from rocksteady.theories.contract import IMPACT, Formulation

if TYPE_CHECKING:
    import xarray
    from matplotlib.figure import Figure

    import rocksteady.outcome


def table(**columns: NDArray[Any]) -> np.recarray[Any, Any]:
    """Columns of equal length as one array: ``t.time``, ``t["time"]`` and ``t[0]`` all work."""
    kinds = [(name, column.dtype) for name, column in columns.items()]
    return np.rec.fromarrays(list(columns.values()), dtype=kinds)


A_RUN = ": give what rs.simulate returned"  # ends the error where something else was given
ACCOUNTS = ("work", "loss", "viscous")  # accumulated energies; a batch may leave them out


def lost(columns: tuple[str, ...], states: Array) -> NDArray[np.bool_]:
    """Which rows of ``states`` are not finite, because the method has failed; the accumulated
    energies do not count."""
    moving = [full.split(" [")[0] not in ACCOUNTS for full in columns]
    return np.asarray(~np.isfinite(states[..., moving]).all(axis=-1))


@dataclass(frozen=True, eq=False)
class Response:
    """The response of one body to one ground motion.

    Made by :func:`rocksteady.simulate`; arrays have one entry per sample of ``time``.
    """

    system: System
    motion: Motion
    """The ground motion at the step of the run; afterwards the ground is still."""
    formulation: Formulation
    states: Array
    """One row per sample; ``columns`` names the columns."""
    events: Array
    """One row per event: time [s], kind, coordinate, rate before, rate after."""
    status: Status
    warnings: tuple[str, ...] = ()
    """What the run was warned of."""

    # -- histories --------------------------------------------------------------------------

    @cached_property
    def time(self) -> Array:
        """Time of each sample [s]."""
        return np.asarray(np.arange(len(self.states)) * self.motion.dt, float)

    @cached_property
    def ground(self) -> tuple[Array, ...]:
        """Horizontal and vertical acceleration of the ground at each sample [m/s²]; as the third,
        where the theory takes it, the transverse one."""
        n = len(self.states)
        ground = samples_of(self.motion, self.formulation.components)
        return tuple(
            np.concatenate([accel[:n], np.zeros(max(n - len(accel), 0))]) for accel in ground
        )

    @property
    def columns(self) -> tuple[str, ...]:
        """Name and unit of each column of ``states``."""
        return self.formulation.columns(self.system)

    @cached_property
    def derived(self) -> dict[str, Array]:
        """Further columns, worked out from the state: name and unit, and values."""
        return self.formulation.derived(self.system, self.states)

    def has(self, name: str) -> bool:
        """Whether there is a column of this name."""
        return any(name in (full, full.split(" [")[0]) for full in (*self.columns, *self.derived))

    def column(self, name: str) -> Array:
        """A column by name, with or without its unit: ``column("omega")``. Of the state, or one of
        those that the theory derives from it."""
        for i, full in enumerate(self.columns):
            if name in (full, full.split(" [")[0]):
                return self.states[:, i]
        for full, values in self.derived.items():
            if name in (full, full.split(" [")[0]):
                return values
        known = [*self.columns, *self.derived]
        raise InputError(f"There is no column {name!r}: {self.formulation.name} has {known}.")

    @property
    def coordinate(self) -> Coordinate:
        """The coordinate that describes the response: name, unit, symbol and divisor."""
        return self.formulation.coordinate(self.system)

    @property
    def relative(self) -> Array:
        """The coordinate over its limit: θ/α [-] for a rocking body; for a building, u over the
        displacement at which it first slips [-]."""
        return self.coordinate.relative(self.system, self.states[:, 0])

    @property
    def rocks(self) -> bool:
        """Whether the coordinate is a lean about the corners of the base, relative to α."""
        return self.system.rocks and bool(self.coordinate.over)

    @property
    def theta(self) -> Array:
        """Rotation θ [rad], positive when leaning towards +x."""
        return self.column("theta")

    @property
    def omega(self) -> Array:
        """Angular velocity ω [rad/s]."""
        return self.column("omega")

    @property
    def displacement(self) -> Array:
        """Displacement u of a building [m]."""
        return self.column("u")

    @property
    def hardening(self) -> Array:
        """Hardening α of a building's interface [m]."""
        return self.column("alpha")

    @property
    def wear(self) -> Array:
        """Wear w of a building's interface [-]."""
        return self.column("w")

    @property
    def stress(self) -> Array:
        """Stress τ of a building's interface [N/m²]."""
        return self.column("tau")

    def event_column(self, field: str) -> Array:
        """``"time"`` [s], ``"kind"``, ``"coordinate"``, ``"rate_before"`` or ``"rate_after"`` of
        each event."""
        return self.events[:, EVENT_FIELDS.index(field)]

    @cached_property
    def impacts(self) -> np.recarray[Any, Any]:
        """A table of the impacts: ``time`` [s], ``omega_before`` and ``omega_after`` [rad/s]. Where
        the rate of the coordinate is not ω, its name takes the place of ``omega``, as in
        ``lean_rate_before`` [1/s].

        On a soft bed velocities do not jump: an impact is a passage through θ = 0 at the end of a
        swing in which a corner left the bed, and both velocities are the one at that time. A body
        that vibrates with its whole base on the bed has no impacts.
        """
        hits = np.flatnonzero(self.event_column("kind") == IMPACT)
        time, _, _, before, after = self.events[hits].T
        if self.formulation.compliant:
            time, before = self._passages(hits)
            after = before
        rate = self.columns[1].split(" [")[0]
        return table(**{"time": time, f"{rate}_before": before, f"{rate}_after": after})

    def _passages(self, hits: NDArray[np.intp]) -> tuple[Array, Array]:
        """Time of each passage through θ = 0, and ω there. On a soft bed an impact is recorded at
        the end of its step; θ is interpolated linearly over that step, which began at the sample
        before or at a later event."""
        end, _, theta, omega, omega_end = self.events[hits].T
        before = np.maximum(np.ceil(end / self.motion.dt - 1e-6).astype(int) - 1, 0)
        start, theta_start = self.time[before], self.states[before, 0]
        last = self.events[np.maximum(hits - 1, 0)]
        since = (hits > 0) & (last[:, 0] > start)
        start = np.where(since, last[:, 0], start)
        theta_start = np.where(since, last[:, 2], theta_start)
        share = theta_start / (theta_start - theta)
        return start + share * (end - start), omega + share * (omega_end - omega)

    # -- summary ----------------------------------------------------------------------------

    @cached_property
    def _largest_lean(self) -> tuple[float, float, float]:
        """(|θ|/α, θ, time) where |θ|/α is largest, turning points between samples included."""
        times, _, turning_points = self.events[:, :3].T
        theta = np.concatenate([self.states[:, 0], turning_points])
        lean = np.abs(self.coordinate.relative(self.system, theta))
        k = int(np.argmax(lean))
        return float(lean[k]), float(theta[k]), float(np.concatenate([self.time, times])[k])

    @property
    def peak(self) -> float:
        """Largest |θ|/α reached, turning points between samples included; above 1 the block
        leaned beyond its balance point. For other bodies, the largest |:attr:`relative`|."""
        return self._largest_lean[0]

    @property
    def peak_angle(self) -> float:
        """The rotation θ of the largest lean [rad]."""
        return self._largest_lean[1]

    @property
    def time_of_peak(self) -> float:
        """The time of the largest lean [s]."""
        return self._largest_lean[2]

    @property
    def peak_rate(self) -> float:
        """Largest |ω| [rad/s] (of other bodies the largest rate of the coordinate), at samples and
        on both sides of impacts; after a fall it means nothing."""
        before, after = self.event_column("rate_before"), self.event_column("rate_after")
        return float(np.abs(np.concatenate([self.states[:, 1], before, after])).max())

    @property
    def fell(self) -> bool:
        """Whether it overturned or collapsed."""
        return self.status.fell

    @property
    def fall(self) -> Fall | None:
        """When it passed its balance for good [s], and which way it fell by the end of the run.
        None if it did not. After a fall ``peak`` means nothing: it is the lean at which the
        formulation ends the run."""
        if not self.fell:
            return None
        if not self.rocks:
            return Fall(self._first_fall, "")
        lean = np.abs(self.relative)
        direction = self.formulation.fell_to(self.system, self.states[-1])
        safe = np.flatnonzero(lean < 1)
        if not len(safe) or safe[-1] == len(lean) - 1:  # released beyond it; or its energy decided
            return Fall(float(self.time[0 if not len(safe) else -1]), direction)
        last = safe[-1]
        share = (1 - lean[last]) / (lean[last + 1] - lean[last])
        step = self.time[last + 1] - self.time[last]
        return Fall(float(self.time[last] + share * step), direction)

    @cached_property
    def outcome(self) -> "rocksteady.outcome.Outcome":
        """What became of the body: whether it stands, is back in its place or fell, as numbers and
        in words. Every figure, table, report and page says the same."""
        return imported("rocksteady.outcome:outcome")(self)  # type: ignore[no-any-return]

    @property
    def _first_fall(self) -> float:
        """When the first stone of an assembly had fallen [s]; the end of the run for others."""
        fallen = self.formulation.fallen(self.system, self.time, self.states)
        return fallen[0][1] if fallen else float(self.time[-1])

    @property
    def rocker(self) -> Rocker:
        """The body, if it rocks; otherwise an error."""
        return expect(self.system, Rocker, "A lean, decay or phase portrait")

    @property
    def slide(self) -> float:
        """How far the base has slid at the end of the run [m], positive to the right; zero if it
        cannot slide. For a body in space with friction, which slides in any direction and walks at
        the same time, it is :attr:`walked`."""
        return float(self.slide_history[-1])

    @cached_property
    def slide_history(self) -> Array:
        """How far the lower corner has moved along the ground [m]; zero if it cannot slide. For a
        body in space with friction: how far its base has moved, in any direction."""
        slide = self.formulation.slide(self.system, self.states)
        return np.zeros(len(self.states)) if slide is None else slide

    @property
    def walked(self) -> float:
        """How far the base of a body in space has moved over the floor at the end of the run, from
        where it stood [m]; after a fall it means nothing."""
        return self._at_end("walked", "walks over the floor")

    @property
    def turned(self) -> float:
        """How far a body in space has turned about the vertical at the end of the run, between −π
        and π, from x towards y [rad]; ``column("yaw")`` counts full turns. After a fall it means
        nothing."""
        return self._at_end("turned", "turns about the vertical")

    def _at_end(self, name: str, does: str) -> float:
        found = self.formulation.at_end(self.system, self.states[-1:])
        if name not in found:
            raise InputError(
                f"No body {does} in {self.formulation.name}: `{name}` is for bodies in space, "
                "such as rs.Body.box(0.45, 0.45, 1.8)."
            )
        return float(found[name][0])

    @cached_property
    def energy(self) -> Array:
        """Mechanical energy [J], kinetic and potential; zero at rest upright."""
        return self.formulation.energy(self.system, self.states)

    @property
    def energy_balance(self) -> Array:
        """Work of the ground − losses at impacts − change of mechanical energy [J].

        Zero if the integration is correct: the work is integrated as a separate state.
        """
        change = self.energy - self.energy[0]
        return np.asarray(self.column("work") - self.column("loss") - change)

    def decay(self) -> np.recarray[Any, Any]:
        """The swings between impacts: ``n``, ``peak`` [|θ|/α], ``half_period`` [s] and ``r``, the
        share of its kinetic energy that the body keeps at the impact that ends the swing.

        Swing 0 ends with the first impact. If the block was released at rest, its half period is
        twice the time to that impact, as if the block had started upright.

        ``r`` includes all kinetic energy: turning, sliding, hopping, a bending column. A swing
        lasts from one side to the other, or from uplift to rest. Hops in between belong to one
        impact, and r is then 1 − (their total loss) / (energy before the first). On a soft bed an
        impact takes time, and r is the ratio of the potential energies at the peaks before and
        after it; nan if the ground moves between them, or the run ends before the second.
        """
        return imported("rocksteady.analysis.decay:decay")(self)  # type: ignore[no-any-return]

    # -- output -------------------------------------------------------------------------------

    def to_dataset(self) -> "xarray.Dataset":
        """As a labelled dataset: histories over ``time``, events over ``event``."""
        return imported("rocksteady.storage:to_dataset")(self)  # type: ignore[no-any-return]

    def save(self, path: str | Path) -> Path:
        """Write to ``path``, whole or not at all: NetCDF (``.nc``) or text (``.csv``)."""
        return imported("rocksteady.storage:save")(self, Path(checked_path(path)))  # type: ignore[no-any-return]

    @classmethod
    def load(
        cls, path: str | Path, *, verify: bool = True, allow_modules: Iterable[str] = ()
    ) -> "Response":
        """Read a file that :meth:`save` wrote.

        It is compared with its digest; ``verify=False`` reads a file that was edited since. A body
        or theory of your own is found if its module was imported already; ``allow_modules``
        names modules that may be imported if the file asks for them.
        """
        path, modules = Path(checked_path(path)), as_modules(allow_modules)
        read = imported("rocksteady.storage:load")
        return read(path, verify=verify, allow_modules=modules)  # type: ignore[no-any-return]

    def plot(self, path: str | Path | None = None) -> "Figure":
        """Plot the ground motion, θ/α with the impacts, phase portrait and energy; for a building,
        displacement, wear, the force–displacement loop and energy."""
        return imported("rocksteady.view.pictures:plot")(self, path)  # type: ignore[no-any-return]

    def animate(self, path: str | Path, **options: Any) -> Path:
        """Write a film of the rocking body to ``.gif`` or ``.mp4``."""
        return imported("rocksteady.view.pictures:animate")(self, Path(path), **options)  # type: ignore[no-any-return]

    def __repr__(self) -> str:
        fell, name, end = self.fall, self.formulation.name, self.time[-1]
        what = f"peak {self.coordinate.size} = {self.peak:.4g}" if fell is None else str(fell)
        if self.has("w"):
            what = f"largest |u| = {1e3 * abs(self.peak_angle):.4g} mm, wear {self.wear[-1]:.4g}"
        if self.formulation.has_impacts:
            what += f", {len(self.impacts)} impact{'s' * (len(self.impacts) != 1)}"
        return f"<Response: {self.status}, {what} in {end:.4g} s, {name}>"
