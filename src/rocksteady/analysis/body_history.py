"""Deformation, stress and contact pressure of an elastic block, from a repeated run.

A run of an elastic body stores only a few numbers per step. Here the same steps are repeated, and
deformation and contact forces are recorded.
"""

from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from rocksteady.bodies import Block, expect
from rocksteady.engine.drivers import make_interval
from rocksteady.errors import InputError
from rocksteady.numbers import real
from rocksteady.numerics.decorators import driver
from rocksteady.numerics.types import Array
from rocksteady.registry import imported
from rocksteady.response import A_RUN, Response
from rocksteady.theories.contract import OVERTURN
from rocksteady.theories.dissipation.elastic import block as elastic
from rocksteady.theories.dissipation.elastic.body import LAST, D, begin
from rocksteady.theories.dissipation.elastic.mesh import Mesh
from rocksteady.theories.dissipation.formulation import NumericalDissipation

if TYPE_CHECKING:
    from matplotlib.figure import Figure

MOST_NUMBERS = 50_000_000  # in memory: 400 MB
WINDOW = 0.15  # share of a swing, before and after an impact
SPREAD = 0.34  # share of the base's nodes: with more in contact, an impact is in progress


@dataclass(frozen=True, eq=False)
class BodyHistory:
    """Deformation of an elastic block and pressure under its base, a row per sample."""

    response: Response
    mesh: Mesh
    samples: Array
    """Indices of the samples in the response."""
    displacement: Array
    """Of the nodes relative to the rotated rigid body [m]: (samples, nodes, 2), along the body's
    own axes."""
    force: Array
    """Of the bed on the base's nodes [N]: (samples, nodes of the base, 2), horizontal, upward."""

    def __repr__(self) -> str:
        count, nodes = self.displacement.shape[:2]
        first, last = self.time[0], self.time[-1]
        return f"<BodyHistory: {count} samples of {nodes} nodes, {first:.4g} to {last:.4g} s>"

    @property
    def time(self) -> Array:
        """Time of each sample [s]."""
        return np.asarray(self.response.time[self.samples])

    @property
    def theta(self) -> Array:
        """Rotation of each sample [rad]."""
        return np.asarray(self.response.theta[self.samples])

    @cached_property
    def places(self) -> Array:
        """Position of the base's nodes [m], from the middle of the base towards +x."""
        return np.asarray(self.mesh.x + self.mesh.block.offset)

    @cached_property
    def _areas(self) -> Array:
        how = self.response.formulation
        how = expect(how, NumericalDissipation, "body_history")
        return np.asarray(how.base(self.mesh.block)[1] / how.k_n)

    @cached_property
    def pressure(self) -> Array:
        """Contact pressure under each node of the base [Pa]: (samples, nodes of the base)."""
        return np.asarray(self.force[..., 1] / self._areas)

    @cached_property
    def friction(self) -> Array:
        """Shear stress of the bed on each node of the base [Pa], towards +x."""
        return np.asarray(self.force[..., 0] / self._areas)

    @cached_property
    def stress(self) -> Array:
        """σ_x, σ_y, τ_xy [Pa] at the elements' centres, along the body's own axes, tension
        positive: (samples, elements, 3)."""
        return self.mesh.stresses(self.displacement.reshape(len(self.samples), -1))


def body_history(
    response: Response, between: tuple[float, float] | None = None, *, every: int = 1
) -> BodyHistory:
    """Deformation, stress and contact pressure of an elastic block through a run.

    Parameters
    ----------
    response
        A run with ``rs.NumericalDissipation(body="elastic")``.
    between
        First and last time to keep [s]; the whole run by default.
    every
        Keep every n-th sample.
    """
    expect(response, Response, "body_history", A_RUN)
    how, block = response.formulation, response.system
    if not how.deforms:
        raise InputError(
            f"{how.name} does not compute deformation: run again with "
            "rs.NumericalDissipation(body='elastic')."
        )
    how = expect(how, NumericalDissipation, "body_history")
    block = expect(block, Block, "body_history")
    mesh = elastic.mesh(how, block)
    samples = _samples(response, between, every)
    fields = np.empty((len(samples), mesh.size))
    forces = np.empty((len(samples), 2 * len(mesh.x)))
    if fields.size + forces.size > MOST_NUMBERS:
        raise InputError(
            f"{len(samples)} samples of {mesh.size} displacements do not fit in memory: give "
            "between=(first, last) [s], or a larger every=."
        )
    state = how.start(block, *response.states[0, :2])
    a_h, a_v = (np.array(a) for a in response.ground)
    make_replay(how.advance_for(block))(
        state, how.parameters(block), a_h, a_v, response.motion.dt, samples, fields, forces
    )
    mean = (fields.reshape(len(samples), -1, 2) * mesh.masses[:, None]).sum(axis=1) / block.mass
    displacement = fields.reshape(len(samples), -1, 2) - mean[:, None, :]
    return BodyHistory(response, mesh, samples, displacement, forces.reshape(len(samples), -1, 2))


def _samples(response: Response, between: tuple[float, float] | None, every: int) -> Any:
    time = response.time
    first, last = (time[0], time[-1]) if between is None else between
    kept = np.flatnonzero((time >= first - 1e-9) & (time <= last + 1e-9))
    if not len(kept) or not (real(every) >= 1 and real(every).is_integer()):
        raise InputError(
            f"between = {between!r} s with every = {every!r} selects no samples of a run from "
            f"0 to {time[-1]:.4g} s: give a first and a last time inside it, and every=1 or more."
        )
    return kept[:: int(every)]


@dataclass(frozen=True, eq=False)
class ImpactHistory:
    """One impact of an elastic block, and its release for comparison."""

    time: float
    """When θ passes zero [s]."""
    number: int
    """Index of the impact, from zero."""
    around: BodyHistory
    """From shortly before the impact to shortly after it."""
    released: BodyHistory
    """The first sample of the run."""

    def instants(self) -> list[int]:
        """Four rows of ``around``: before the contact spreads, the two samples around θ = 0, and
        when only the other corner is in contact."""
        wide = (self.around.pressure > 0).mean(axis=1) > SPREAD
        after = int(np.searchsorted(self.around.time, self.time))
        before = after - 1
        start, end = before, after
        while start > 0 and wide[start]:
            start -= 1
        while end < len(wide) - 1 and wide[end]:
            end += 1
        return [start, before, after, end]

    def plot(self, path: str | Path | None = None, reference: Response | None = None) -> "Figure":
        """Phase portrait and pressure under the base; see
        :func:`rocksteady.view.contact.plot_impact`."""
        return imported("rocksteady.view.contact:plot_impact")(self, path, reference=reference)  # type: ignore[no-any-return]


def impact_history(response: Response, impact: int = 0) -> ImpactHistory:
    """Deformation and pressure of an elastic block through one impact, counted from zero."""
    expect(response, Response, "impact_history", A_RUN)
    times = response.impacts.time
    if not 0 <= impact < len(times):
        raise InputError(
            f"impact = {impact!r} does not exist: the run has {len(times)}, counted from zero."
        )
    swings = np.diff(times[: impact + 2], prepend=0.0)[max(impact - 1, 0) :]
    wide = max(WINDOW * float(swings.min()), 8 * response.motion.dt)
    first, last = max(times[impact] - wide, 0.0), min(times[impact] + wide, response.time[-1])
    around, released = (body_history(response, span) for span in ((first, last), (0.0, 0.0)))
    return ImpactHistory(float(times[impact]), impact, around, released)


@cache
def make_replay(advance: Any) -> Any:
    """The driver that records the fields at the given samples."""
    interval = make_interval(advance)

    def replay(state, params, a_h, a_v, dt, samples, fields, forces):  # type: ignore[no-untyped-def]
        begin(state, params)
        row = 0
        for i in range(samples[-1] + 1):
            if i > 0:
                ground0, ground1 = (a_h[i - 1], a_v[i - 1]), (a_h[i], a_v[i])
                found = interval(state, params, ground0, ground1, dt)
                state = found[0]
                if found[6] > OVERTURN:
                    break
            if i == samples[row]:
                fields[row] = params.field[D]
                forces[row] = params.base[LAST]
                row += 1
        return state

    return driver(replay)
