"""Push a masonry building slowly through a displacement history: its force–displacement curve."""

from dataclasses import astuple, dataclass
from functools import cache, cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike

from rocksteady.bodies.masonry import MasonryBuilding
from rocksteady.bodies.system import expect
from rocksteady.errors import InputError
from rocksteady.numbers import number_row
from rocksteady.numerics.decorators import driver
from rocksteady.numerics.types import Array
from rocksteady.registry import imported
from rocksteady.theories.masonry.formulation import (
    UPDATES,
    checked_update,
    slip_function,
    slip_limit,
    stored_energy,
    wear_energy,
)

if TYPE_CHECKING:
    from matplotlib.figure import Figure

LARGEST = 1e3  # m; a larger displacement is in the wrong unit
SIZE = 8  # numbers in a point of `masonry_step`: u, τ, g, α, w, mode, work, loss


@cache
def make_push(update: str) -> Any:
    """The compiled loop over a displacement history: fills ``points``, a row per displacement; the
    first row is given."""
    deform = UPDATES[update]

    def push(displacement, params, points):  # type: ignore[no-untyped-def]
        row = points[0]
        point = (row[0], row[1], row[2], row[3], row[4], row[5], row[6], row[7])
        for i in range(1, len(displacement)):
            point = deform(point, displacement[i], params)
            for j in range(SIZE):
                points[i, j] = point[j]

    return driver(push)


def pushed(params: tuple[float, ...], history: Array, update: str = "accurate") -> Array:
    """A row (u, τ, g, α, w, mode, work, loss) per displacement of ``history`` [m], from the unworn
    state; ``params`` are the fields of a `MasonryBuilding`."""
    points = np.zeros((len(history) + 1, SIZE))
    make_push(update)(np.concatenate([[0.0], history]), params, points)
    return points[1:]


@dataclass(frozen=True, eq=False)
class PushoverResponse:
    """Response of a building to a displacement history; arrays have an entry per displacement."""

    building: MasonryBuilding
    update: str
    points: Array
    """A row (u, τ, g, α, w, mode, work, loss) per displacement."""

    @property
    def displacement(self) -> Array:
        """Displacement u [m], as given."""
        return self.points[:, 0]

    @property
    def stress(self) -> Array:
        """Stress τ of the interface [N/m²]."""
        return self.points[:, 1]

    @property
    def force(self) -> Array:
        """Base shear A_c τ [N]."""
        return self.building.contact_area * self.stress

    @property
    def slip(self) -> Array:
        """Slip g of the interface [m]."""
        return self.points[:, 2]

    @property
    def hardening(self) -> Array:
        """Hardening variable α [m]."""
        return self.points[:, 3]

    @property
    def wear(self) -> Array:
        """Wear w [-]: the lost share of stiffness and strength."""
        return self.points[:, 4]

    @property
    def mode(self) -> Array:
        """0 where the interface adheres, ±1 where it slips that way, 2 once it has collapsed."""
        return self.points[:, 5]

    @property
    def work(self) -> Array:
        """Work done on the interface, A_c ∫ τ du [J]: the paper's E_int."""
        return self.points[:, 6]

    @property
    def dissipated(self) -> Array:
        """Energy dissipated by slip and wear, A_c ∫ (τ_0 dα + W dw) [J]."""
        return self.points[:, 7]

    @cached_property
    def _states(self) -> Array:
        """The columns in the order of the building's state: u at 0; g, α, w, τ, mode from 2 on."""
        return self.points[:, [0, 1, 2, 3, 4, 1, 5]]

    @cached_property
    def stored(self) -> Array:
        """Energy stored in springs and hardening [J]."""
        return stored_energy(self.building, self._states)

    @cached_property
    def wear_energy(self) -> Array:
        """W, the energy that drives wear [N/m]."""
        return wear_energy(self.building, self._states)

    @cached_property
    def slip_function(self) -> Array:
        """F [N/m²]: negative where the interface adheres, zero where it slips. For the
        explicit update, which integrates τ separately from u − g, it is |τ|/(1 − w) − τ_0 − A."""
        if self.update == "accurate":
            return slip_function(self.building, self._states)
        yield_stress = self.building.stiffness * slip_limit(
            self.building, self.hardening, self.wear
        )
        return np.asarray(np.abs(self.stress) / np.maximum(1 - self.wear, 1e-4) - yield_stress)

    @property
    def energy_balance(self) -> Array:
        """work − dissipated − stored [J]: zero if the integration is correct."""
        return np.asarray(self.work - self.dissipated - self.stored)

    @cached_property
    def collapse(self) -> float | None:
        """The displacement at which it collapsed [m], or None."""
        fallen = np.flatnonzero(self.mode == 2)
        if not len(fallen):
            return None
        i = int(fallen[0])
        if self.update == "explicit":
            return float(self.displacement[i])
        side = np.sign(self.displacement[i] - self.displacement[i - 1])
        stretch = slip_limit(self.building, self.hardening[i], self.wear[i])
        return float(self.slip[i] + side * stretch)

    @property
    def peak_force(self) -> float:
        """Largest base shear, in absolute value [N]."""
        return float(np.max(np.abs(self.force)))

    @property
    def displacement_at_peak(self) -> float:
        """The displacement at the largest base shear [m]."""
        return float(self.displacement[np.argmax(np.abs(self.force))])

    def plot(self, path: str | Path | None = None) -> "Figure":
        """Plot force, slip and hardening, wear and energies."""
        return imported("rocksteady.view.masonry:plot_pushover")(self, path)  # type: ignore[no-any-return]

    def __repr__(self) -> str:
        end = "" if self.collapse is None else f", collapses at {1e3 * self.collapse:.4g} mm"
        return (
            f"<PushoverResponse: peak {self.peak_force / 1e3:.4g} kN at "
            f"{1e3 * self.displacement_at_peak:.4g} mm, wear {self.wear[-1]:.4g}{end}>"
        )


def pushover(
    building: MasonryBuilding, displacement: ArrayLike, update: str = "accurate"
) -> PushoverResponse:
    """Push ``building`` slowly along ``displacement`` and compute the state of its interface.

    Parameters
    ----------
    building
        The building, unworn.
    displacement
        The displacement history [m], monotonic or cyclic, linear between its points. If it does not
        start at zero, the building is first pushed to its first value.
    update
        ``"accurate"`` or ``"explicit"``, as in :class:`rocksteady.Masonry`.

    Examples
    --------
    >>> import numpy as np
    >>> house = MasonryBuilding.casalotti2025(mass=40e3)
    >>> pushover(house, np.linspace(0, 0.018, 400))
    <PushoverResponse: peak 98.49 kN at 8.436 mm, wear 0.2025>
    """
    expect(building, MasonryBuilding, "A pushover", ": it is defined for masonry buildings only")
    points = pushed(astuple(building), _history(displacement), checked_update(update))
    points.setflags(write=False)
    return PushoverResponse(building, update, points)


def _history(displacement: ArrayLike) -> Array:
    history = number_row("displacement", displacement, "m")
    if len(history) < 2:
        raise InputError(f"displacement has {len(history)} values [m]: it must have at least 2.")
    good = np.isfinite(history) & (np.abs(history) <= LARGEST)
    if not good.all():
        i = int(np.argmin(good))
        raise InputError(
            f"displacement[{i}] = {history[i]} m is not allowed: every value must be finite and "
            f"within ±{LARGEST:g} m. Leave gaps out; displacements are in metres."
        )
    return history
