"""The body in space as the engine sees it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rocksteady.bodies import Body, Coordinate
from rocksteady.errors import InputError
from rocksteady.numbers import keep_floats, positive, real
from rocksteady.numerics.decorators import fused_kernel
from rocksteady.numerics.types import Array, Numbers
from rocksteady.theories.contract import Formulation
from rocksteady.theories.spatial import places, rim
from rocksteady.theories.spatial.loose.joined import make_joined
from rocksteady.theories.spatial.loose.round import ROUND, bases, make_round
from rocksteady.theories.spatial.pivots import SIZES
from rocksteady.theories.spatial.state import (
    COLUMNS,
    LEAN,
    LEAN_RATE,
    LEVEL,
    LOOSE,
    LOOSE_COLUMNS,
    MODE,
    REST,
    lean_once,
)
from rocksteady.theories.spatial.step import make_advance, make_glide

ALLOWED = 2e-10  # rad: what an attempt at an interval may miss of the angle turned, foretold


@dataclass(frozen=True, kw_only=True)
class Spatial(Formulation):
    """Rigid body in space that rocks about the edges and corners of its base, wobbles and twists.
    A body of revolution rolls on its rim.

    Parameters
    ----------
    friction
        Coulomb's coefficient μ: the body slides, spins and flies where it must. None: contacts
        stick whatever the force, impacts are plastic. A round base also needs ``rolling="free"``.
    restitution
        Newton's coefficient ε of the velocity with which a corner strikes, in [0, 1]; with
        ``friction`` only.
    rolling
        Round base: ``"restrained"`` to the circle on which it stood, or ``"free"`` to roll away.
    flat_loss
        Round base: ratio r of the kinetic energy that a passage within 1e-5 rad of flat leaves, in
        (0, 1]. In theory nothing is lost (1), though a planar motion loses at each impact.
    """

    name = "Spatial"
    title = "Body in space"
    bodies = (Body,)
    usual_for = (Body,)
    components = ("accel", "vertical", "transverse")
    turns_are_events = True
    starts_in_a_direction = True
    cost = 150.0
    compared = True
    kept = places.KEPT
    refusals = dict.fromkeys(("eta", "r"), "what it loses at an impact follows from its shape")

    friction: float | None = None
    restitution: float = 0.0
    rolling: str = "restrained"
    flat_loss: float = 1.0

    def __post_init__(self) -> None:
        check_contact(self.friction, self.restitution)
        rim.check(self.rolling, self.flat_loss)
        keep_floats(self, "friction", "restitution", "flat_loss")

    def columns(self, body: Body) -> tuple[str, ...]:
        return COLUMNS if self.friction is None else COLUMNS + LOOSE_COLUMNS

    def coordinate(self, body: Body) -> Coordinate:
        return body.coordinate

    def advance_for(self, body: Body) -> Any:
        if body.radius is not None:
            self._check_round(body)
            return rim.ADVANCE if self.friction is None else make_round()
        sticking = make_advance(size_for(body))
        return sticking if self.friction is None else make_joined(sticking)

    def glide_for(self, body: Body) -> Any:
        sticks = self.friction is None and body.radius is None
        return make_glide(size_for(body)) if sticks else None

    def laws_for(self, body: Body) -> str:
        return "rocksteady.analysis.auditing.space:laws"

    def not_on_gpu(self, body: Body) -> str | None:
        sticks = self.friction is None
        return None if sticks else "the step of a body that slides is too long for a GPU's compiler"

    def _check_round(self, body: Body) -> None:
        if self.friction is not None and self.rolling != "free":
            raise InputError(
                f"friction = {self.friction!r} with rolling = {self.rolling!r}: a body that is "
                'held on its circle cannot slide. Give rolling="free" as well (on the command line '
                "--set rolling=free), or leave friction out."
            )

    def resting_for(self, body: Body) -> Any:
        return resting

    def doomed_for(self, body: Body) -> Any:
        return doomed

    def at_end_for(self, body: Body) -> Any:
        return places.make_at_end(size_for(body)) if body.radius is None else None

    def aftermath(self, body: Body) -> float:
        """A round body may wobble for ever: half a minute tells whether it falls."""
        return super().aftermath(body) if body.radius is None else 30.0

    def exact_rest(self, body: Body) -> bool:
        return True

    def check_vertical(self, body: Body, a_v: Array) -> None:
        if self.friction is None and a_v.min() <= -body.g:
            raise InputError(
                f"The vertical acceleration reaches {a_v.min():.4g} m/s², not above "
                f"−g = {-body.g:.4g}: the body would leave the ground, which this theory does not "
                "cover without friction. Give friction=."
            )

    def model(self, bodies: Sequence[Body]) -> Body:
        """The one with most corners: others repeat their last corner."""
        if len({body.radius is None for body in bodies}) > 1:
            raise InputError(
                "Some of the bodies have a round base and some a polygon: one rolls on its rim, "
                "the other rocks on corners, by different equations. Make an ensemble of each."
            )
        return max(bodies, key=lambda body: len(body.corners))

    def parameters(self, body: Body) -> Numbers:
        return self.parameters_like(body, body)

    def parameters_like(self, body: Body, model: Body) -> Numbers:
        if body.radius is not None:
            on_rim = tuple(rim.parameters(body, self.rolling, self.flat_loss))
            if self.friction is None:
                return on_rim
            return (*self._head(body, ROUND), *bases(body.radius), *on_rim)
        corners = body.corners.tolist()
        size = size_for(model)
        padded = corners + [corners[-1]] * (size - len(corners))
        flat = tuple(number for corner in padded for number in corner)
        return (*self._head(body, len(corners)), *flat)

    def _head(self, body: Body, corners: int) -> Numbers:
        """The parameters before the corners: see `pivots.py`."""
        J = np.array(body.inertia) / body.mass
        inertia = J[0, 0], J[1, 1], J[2, 2], J[0, 1], J[0, 2], J[1, 2]
        head = (body.g, body.mass, body.centre[2], *map(float, inertia), ALLOWED)
        contact = self.friction or 0.0, self.restitution
        return (*head, float(corners), *contact, *map(float, body.centre[:2]))

    def start(
        self, body: Body, theta0: float = 0.0, omega0: float = 0.0, direction: float = 0.0
    ) -> Numbers:
        tilt, rate = float(theta0), float(omega0)
        if tilt < 0 or (tilt == 0 and rate < 0):
            tilt, rate, direction = -tilt, -rate, direction + 180.0
        if body.radius is not None:
            return (*rim.start(body, tilt, rate, direction), *self._more)
        if not (tilt or rate):
            foot = body.corners[0] + body.centre[:2]
            rest = (0.0, 0.0, 0.0, *LEVEL, 1.0, 0.0, 0.0, 0.0, 0.0, 0.0)
            return (*rest, *map(float, foot), REST, 0.0, 0.0, 0.0, *self._more)
        return self.leaning(body, tilt, direction, rate=rate)

    def leaning(self, body: Body, tilt: float, direction: float = 0.0, **motion: Any) -> Numbers:
        """The state of a body that leans by ``tilt`` [rad] towards ``direction`` [degrees from x];
        ``rate`` [rad/s], ``yaw`` [rad] and ``spin`` [rad/s, in the body's axes] may be given."""
        parts = places.leaning(body, tilt, direction, **motion)
        up, spin = np.array(parts[:3]), np.array(parts[6:9])
        state = np.array([0.0, 0.0, 0.0, *parts, 0.0, 0.0])
        foot = -places.arms(body, state)[:2]
        lean = lean_once(
            tuple(up.tolist()), tuple(np.cross(up, spin).tolist()), tuple(foot.tolist()),
            float(body.centre[2]),
        )  # fmt: skip
        return (*lean, *parts, 0.0, 0.0, *self._more)

    @property
    def _more(self) -> Numbers:
        """The height and the velocity of the pivot, where the state holds them."""
        return () if self.friction is None else (0.0,) * len(LOOSE_COLUMNS)

    def energy(self, body: Body, states: Array) -> Array:
        return places.energy(body, states)

    def derived(self, body: Body, states: Array) -> dict[str, Array]:
        """Yaw, and the place of the centre of mass."""
        x, y, z = np.moveaxis(places.centre(body, states), -1, 0)
        return {"yaw [rad]": places.yaw(states), "x [m]": x, "y [m]": y, "z [m]": z}

    def slide(self, body: Body, states: Array) -> Array | None:
        """How far its base has moved over the floor [m], by walking and by sliding: with friction
        it does both at once. None where it sticks."""
        return None if self.friction is None else self.at_end(body, states)["walked"]

    def displaced(self, body: Body, states: Array) -> Array:
        """How far its base has walked or slid over the floor [m]."""
        return self.at_end(body, states)["walked"]

    def at_end(self, body: Body, states: Array) -> dict[str, Array]:
        """How far it walked and turned, and where it leans."""
        if body.radius is None:  # the bits of an ensemble
            found = np.empty((len(states), 3))
            states = np.ascontiguousarray(states, dtype=float)
            places.make_ends(size_for(body))(states, self.parameters(body), found)
            return dict(zip(("walked", "turned", "heading"), found.T, strict=True))
        return {
            "walked": places.walked(body, states),
            "turned": places.facing(states),
            "heading": places.headings(states),
        }

    @classmethod
    def like(cls, *, eta: float | None, friction: float | None) -> Spatial:
        return cls(friction=friction)

    def keeps_at_impact(self, body: Body) -> str:
        if body.radius is not None:
            share = "all" if self.flat_loss == 1 else f"{self.flat_loss:g}"
            return f"{share} of its kinetic energy where it rolls past flat (flat_loss)"
        return "its momentum about the corner or edge that strikes"

    def fell_to(self, body: Body, state: Array) -> str:
        """Over which corner or edge of the base, by the numbers of its corners, and where to
        [degrees from x towards y]."""
        to = f"towards {round(places.heading(state)) % 360}°"
        return f"{places.foot_in_words(body, state)} {to}".lstrip()  # loose: over nothing

    def at_rest(self, body: Body, states: Array) -> NDArray[np.bool_]:
        return np.asarray(states[..., MODE] == REST)

    def doomed(self, body: Body, state: Array) -> bool:
        return bool(state[LEAN] > 1 and state[LEAN_RATE] > 0 and state[MODE] != LOOSE)


@fused_kernel
def resting(state, params):  # type: ignore[no-untyped-def]
    """Whether it stands on its whole base."""
    return state[MODE] == REST


@fused_kernel
def doomed(state, params):  # type: ignore[no-untyped-def]
    """Whether it leans further than gravity can bring it back, and still leans more."""
    return state[LEAN] > 1.0 and state[LEAN_RATE] > 0.0 and state[MODE] != LOOSE


def check_contact(friction: float | None, restitution: float) -> None:
    """Refuse what is no coefficient of friction or restitution."""
    if not 0 <= real(restitution) <= 1:
        raise InputError(
            f"restitution = {restitution!r} is not allowed: it must lie in [0, 1], from 0 (no "
            "bounce) to 1 (the velocity of a corner that strikes is reversed)."
        )
    if friction is not None:
        advice = "Stone on stone has about 0.7. Leave it out for a body that never slides."
        positive("friction", friction, advice=advice)
    elif restitution != 0:
        raise InputError(
            f"restitution = {restitution!r} without friction: a body that never slides does not "
            "bounce either. Give friction= as well, about 0.7 for stone on stone."
        )


def size_for(body: Body) -> int:
    """The number of corners that its step is compiled for."""
    return next(size for size in SIZES if len(body.corners) <= size)
