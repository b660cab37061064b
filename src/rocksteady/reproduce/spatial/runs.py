"""Bodies and motions that the figures share, and how a run in space is started and read."""

from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np

from rocksteady.bodies import Body
from rocksteady.motion import Motion
from rocksteady.numerics.types import Array, Numbers
from rocksteady.response import Response
from rocksteady.simulation import simulate
from rocksteady.theories import Spatial
from rocksteady.theories.contract import IMPACT
from rocksteady.theories.spatial import rim

B, H = 0.225, 0.9  # half width and half height of the standard body [m]
BOX = Body.box(2 * B, 2 * B, 2 * H)
CYLINDER = Body.cylinder(2 * B, 2 * H)
FINE = 0.001  # s: the error of a step is then below the digits that are compared


@dataclass(frozen=True, kw_only=True)
class Started(Spatial):
    """The theory with a start of its own."""

    state: Numbers = ()

    def start(
        self, body: Body, theta0: float = 0.0, omega0: float = 0.0, direction: float = 0.0
    ) -> Numbers:
        return self.state


def released(
    body: Body, tilt: float, direction: float = 0.0, *, until: float, dt: float = FINE, **how: Any
) -> Response:
    """Let go at ``tilt`` [rad] towards ``direction`` [degrees], on a ground at rest; ``rate``,
    ``yaw`` and ``spin`` as of `Spatial.leaning`."""
    state = Spatial().leaning(body, tilt, direction, **how)
    return simulate(body, Motion(np.zeros(2), dt), Started(state=state), until=until)


def wobbled(
    body: Body, tilt: float, azimuth_rate: float, *, until: float, dt: float = FINE, **how: Any
) -> Response:
    """A round body let go on its rim at ``tilt`` [rad], its lean turning at ``azimuth_rate``
    [rad/s]; ``rate`` and ``spin`` [rad/s] as of `rim.start`, ``rolling`` as of `Spatial`."""
    rolling = how.pop("rolling", "restrained")
    state = rim.start(body, tilt, azimuth_rate=azimuth_rate, **how)
    still = Motion(np.zeros(2), dt)
    return simulate(body, still, Started(state=state, rolling=rolling), until=until)


def attitude(run: Response) -> Array:
    """R of each sample, (samples, 3, 3): turns vectors of the body into vectors of the ground."""
    up, ahead = (
        np.stack([run.column(f"{name}_{axis}") for axis in "xyz"], axis=-1)
        for name in ("up", "ahead")
    )
    return np.stack([ahead, np.cross(up, ahead), up], axis=1)


def azimuth(run: Response) -> Array:
    """In which direction it leans [rad], not unwrapped."""
    R = attitude(run)
    return np.arctan2(R[:, 1, 2], R[:, 0, 2])


def shares(
    body: Body, tilt: float, direction: float, until: float, dt: float = 0.005
) -> list[tuple[float, Numbers, Numbers]]:
    """Impacts of a free motion one by one, of which several may lie between two samples: (energy
    after over before, state before, state after)."""
    theory = Spatial()
    advance, params = theory.advance_for(body), theory.parameters(body)
    state, still, hits = theory.leaning(body, tilt, direction), (0.0, 0.0, 0.0), []
    for _ in range(round(until / dt)):
        passed = 0.0
        while passed < dt:
            new, used, event = advance(state, params, still, still, dt - passed)
            passed += used
            if event == IMPACT:
                before, after = theory.energy(body, np.array([state, new]))
                hits.append((float(after / before), state, new))
            state = new
    return hits


KNOTS = 0.08  # s


@cache
def shaking(seed: int, pga: float, seconds: float = 10.0, dt: float = 0.005) -> Motion:
    """Three components of noise, straight between knots 0.08 s apart, strongest at 1.5 s; the
    larger of the horizontal ones reaches ``pga`` [m/s²], the vertical one 0.3 of it."""
    t = np.arange(round(seconds / dt) + 1) * dt
    knots = np.random.default_rng(seed).standard_normal((3, int(t[-1] / KNOTS) + 2))
    at = KNOTS * np.arange(knots.shape[1])
    x, y, z = (np.interp(t, at, row) * (t * np.exp(1 - t / 1.5)) ** 2 for row in knots)
    level = pga / max(np.abs(x).max(), np.abs(y).max())
    vertical = 0.3 * pga * z / np.abs(z).max()
    name = f"generated {seed}"
    return Motion(level * x, dt, transverse=level * y, vertical=vertical, name=name)


def along(motion: Motion, component: str) -> Motion:
    """Only one horizontal component of a motion, along x."""
    return Motion(getattr(motion, component), motion.dt, name=motion.name)


def level(motion: Motion) -> Motion:
    """Without its vertical component."""
    return Motion(motion.accel, motion.dt, transverse=motion.transverse, name=motion.name)
