"""The masonry building that adheres, slips, hardens and wears (Casalotti et al. 2025).

The interface's law is in `interface.py`, the motion in `motion.py`.
"""

import math
from dataclasses import dataclass, fields
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rocksteady.bodies.masonry import MasonryBuilding
from rocksteady.errors import InputError
from rocksteady.numerics.types import Array, Numbers
from rocksteady.theories.contract import Formulation, Quantity, Watched
from rocksteady.theories.masonry import interface as masonry_step
from rocksteady.theories.masonry import motion as masonry_motion

UPDATES = {"accurate": masonry_step.deform, "explicit": masonry_step.deform_explicit}
COLUMNS = (
    "u [m]",
    "v [m/s]",
    "g [m]",
    "alpha [m]",
    "w [-]",
    "tau [N/m²]",
    "mode [-]",
    "work [J]",
    "loss [J]",
    "viscous [J]",
)


def checked_update(update: str) -> str:
    """The name of an update of the interface, or an error that says which there are."""
    if update not in UPDATES:
        raise InputError(
            f"update = {update!r} is not allowed: 'accurate' (fourth order, slip located inside "
            "the step) or 'explicit' (the paper's own, first order)."
        )
    return update


@dataclass(frozen=True, kw_only=True)
class Masonry(Formulation):
    """One mass on an interface with friction, plasticity and wear.

    The state has displacement u [m] and velocity v [m/s] relative to the ground, the interface's
    slip g [m], hardening α [m], wear w [-] and stress τ [N/m²], its mode (0 adheres, ±1 slips
    that way, 2 has collapsed), the ground's work, all that is lost and the viscous part of it [J].

    Parameters
    ----------
    update
        ``"accurate"``: onsets of slip and reversals located inside the step, F = 0 held, fourth
        order in the time step. ``"explicit"``: the paper's Algorithm 1 at every Runge–Kutta stage,
        first order.
    """

    name = "Masonry"
    compared = True
    bodies = (MasonryBuilding,)
    usual_for = (MasonryBuilding,)
    components = ("accel",)  # friction does not know the weight
    has_impacts = False
    cost = 60.0
    kept = {
        "displacement": Quantity("f8", "m", "displacement u at the end", "u"),
        "slip": Quantity("f8", "m", "slip g of the interface at the end", "g"),
        "hardening": Quantity("f8", "m", "hardening α at the end", "alpha"),
        "wear": Quantity("f8", "1", "wear w at the end", "w"),
    }

    update: str = "accurate"

    def __post_init__(self) -> None:
        checked_update(self.update)

    # -- the contract -----------------------------------------------------------------------------

    def columns(self, building: MasonryBuilding) -> tuple[str, ...]:
        return COLUMNS

    def advance_for(self, building: MasonryBuilding) -> Any:
        if self.update == "explicit":
            return masonry_motion.advance_explicit
        return masonry_motion.advance

    @property
    def turns_are_events(self) -> bool:  # type: ignore[override]
        return self.update == "accurate"

    def laws_for(self, building: MasonryBuilding) -> str:
        return "rocksteady.analysis.auditing.interface:laws"

    def watched(self, building: MasonryBuilding) -> dict[str, Watched]:
        return {
            "wear": Watched("", "w"),
            "hardening": Watched("m", "alpha"),
            "drift": Watched("m"),
            "frequency_drop": Watched("", "w", drop=True),
        }

    def vibration(self, building: MasonryBuilding, state: Numbers) -> float:
        u, v, g, _, w = state[:5]
        frequency = building.worn_frequency(w)
        return math.hypot(u - g, v / frequency) if frequency > 0 else abs(u - g)

    def glide_for(self, building: MasonryBuilding) -> Any:
        return None if self.update == "explicit" else masonry_motion.GLIDE

    def resting_for(self, building: MasonryBuilding) -> Any:
        return masonry_step.resting

    def doomed_for(self, building: MasonryBuilding) -> Any:
        return masonry_step.doomed

    def parameters(self, building: MasonryBuilding) -> Numbers:
        return tuple(getattr(building, field.name) for field in fields(MasonryBuilding))

    def start(self, building: MasonryBuilding, u0: float = 0.0, v0: float = 0.0) -> Numbers:
        """At displacement u0 [m], pushed there slowly from the unworn state, with velocity v0."""
        point = (0.0,) * 8
        u, tau, g, alpha, w, mode, _work, _loss = masonry_step.deform_once(
            point, float(u0), self.parameters(building)
        )
        if mode == 2.0:
            raise InputError(
                f"u0 = {u0!r} m is not allowed: the building collapses on the way there. Its "
                f"interface first slips at {building.elastic_displacement:.3g} m."
            )
        return (u, float(v0), g, alpha, w, tau, 0.0, 0.0, 0.0, 0.0)

    def energy(self, building: MasonryBuilding, states: Array) -> Array:
        """Kinetic energy and what springs and hardening have stored [J]."""
        stored = stored_energy(building, states)
        return np.asarray(building.mass * states[..., 1] ** 2 / 2 + stored)

    def displaced(self, building: MasonryBuilding, states: Array) -> Array:
        """The slip of its interface [m], which stays when the vibration has died out."""
        return np.asarray(states[..., 2])

    def at_rest(self, building: MasonryBuilding, states: Array) -> NDArray[np.bool_]:
        """Adhering, with a vibration too small to slip again: no more damage will come."""
        u, v, g, alpha, w = (states[..., i] for i in range(5))
        q = np.maximum(1 - w, masonry_step.LEAST)
        amplitude = np.hypot(u - g, v / (building.natural_frequency * np.sqrt(q)))
        return np.asarray((states[..., 6] == 0) & (amplitude < slip_limit(building, alpha, w)))

    def doomed(self, building: MasonryBuilding, state: Array) -> bool:
        """Collapsed: nothing is left that would hold it."""
        return bool(state[6] == 2 or state[4] >= masonry_step.WORN_OUT)


# -- of whole histories -------------------------------------------------------------------------


def slip_limit(building: MasonryBuilding, alpha: Any, w: Any) -> Array:
    """The stretch |u − g| at which the interface slips [m]."""
    q = np.maximum(1 - np.asarray(w), masonry_step.LEAST)
    e = np.exp(-building.hardening_rate * np.asarray(alpha) / q)
    hardening = building.hardening_limit * q * (1 - q * e)
    return np.asarray((building.threshold + hardening) / building.stiffness)


def slip_function(building: MasonryBuilding, states: Array) -> Array:
    """F [N/m²] of each row of ``states``: negative while it adheres, zero while it slips."""
    u, g, alpha, w = (states[..., i] for i in (0, 2, 3, 4))
    return building.stiffness * (np.abs(u - g) - slip_limit(building, alpha, w))


def wear_energy(building: MasonryBuilding, states: Array) -> Array:
    """W, the energy that drives wear [N/m], of each row of ``states``."""
    u, g, alpha, w = (states[..., i] for i in (0, 2, 3, 4))
    a, limit, q = building.hardening_rate, building.hardening_limit, _left(w)
    e = np.exp(-a * alpha / q)
    stored = limit * (alpha + ((3 * q + a * alpha) * q * e - 3) / a)
    return np.asarray(building.stiffness * (u - g) ** 2 / 2 + stored)


def stored_energy(building: MasonryBuilding, states: Array) -> Array:
    """What springs and hardening have stored [J], of each row of ``states``; after a collapse the
    springs hold nothing."""
    u, g, alpha, w, mode = (states[..., i] for i in (0, 2, 3, 4, 6))
    a, limit, q = building.hardening_rate, building.hardening_limit, _left(w)
    springs = np.where(mode == 2, 0.0, building.stiffness * q * (u - g) ** 2 / 2)
    hardening = limit * (q * alpha + (q**3 * np.exp(-a * alpha / q) - 3 * q + 2) / a)
    return np.asarray(building.contact_area * (springs + hardening))


def _left(w: Array) -> Array:
    return np.maximum(1 - w, masonry_step.LEAST)


def frequency(building: MasonryBuilding, w: float) -> float:
    """Frequency of small vibrations after wear w [Hz]."""
    return building.worn_frequency(w) / (2 * math.pi)
