"""Numerical dissipation in a statistical sense (D'Altri et al. 2024, section 4.2, Fig. 17d).

The tested specimen of that paper under many motions: by the classical theory, at the time step of
the paper's law, and at ten times that.
"""

import dataclasses
import math
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from rocksteady.analysis.statistics.distributions import (
    OVERTURNED,
    Band,
    confidence_band,
    largest_of,
    share_inside,
)
from rocksteady.bodies import Block, expect
from rocksteady.ensembles.api import run_study
from rocksteady.ensembles.progress import Progress, part_of
from rocksteady.ensembles.study import Study
from rocksteady.errors import InputError
from rocksteady.motion import Motion
from rocksteady.motion.generate import stochastic
from rocksteady.numbers import positive
from rocksteady.numerics.types import Array
from rocksteady.registry import imported
from rocksteady.theories import Formulation, Housner, NumericalDissipation
from rocksteady.theories.dissipation.time_step import time_step

if TYPE_CHECKING:
    from matplotlib.figure import Figure

# Section 4.2: the cuboid equivalent to the tested specimen, r measured and of the classical theory
SPECIMEN = Block(0.609, 0.09135)
TESTED_R, CLASSICAL_R = 0.9532, 0.9465
# The specimen models a block of 10 m, 16.4 times its size, in time shortened by sqrt(16.4) = 4.05.
# So 12 Hz, D5-95 = 2.5 s and t_mid = 2 s are 3 Hz, 10 s and 8 s of an earthquake.
FREQUENCY = 12.0  # Hz
SHAKING = {"arias": 1.0, "d5_95": 2.5, "t_mid": 2.0, "frequency_rate": 0.0, "damping": 0.2}
STRENGTH = (2.5, 5.0)  # largest acceleration, in units of g tan α
SEED = 2024
SAMPLING = 0.004  # s
COARSE = 10.0  # times the law's step: what should not do


def stochastic_motions(
    block: Block,
    frequency: float = FREQUENCY,
    *,
    n: int = 100,
    seed: int = SEED,
    strength: tuple[float, float] = STRENGTH,
    **shaking: float,
) -> list[Motion]:
    """``n`` stochastic motions whose filter has ``frequency`` [Hz], with largest accelerations
    evenly spread over ``strength`` [g tan α].

    ``shaking`` replaces single parameters of :class:`rocksteady.stochastic.Parameters`.
    """
    expect(block, Block, "stochastic_motions", ": the strengths are in units of its g tan α")
    lowest, highest = _pair("strength", strength)
    parameters = stochastic.Parameters(**{**SHAKING, "frequency_mid": frequency, **shaking})
    lifts = block.g * math.tan(block.alpha)
    made = stochastic.ensemble(n, seed, parameters, dt=min(SAMPLING, 0.1 / frequency))
    factors = np.linspace(lowest, highest, n)
    return [m.scaled_to(pga=lifts * float(k)) for m, k in zip(made, factors, strict=True)]


def _pair(name: str, given: Any) -> tuple[float, float]:
    try:
        low, high = (positive(name, value) for value in given)
    except (TypeError, ValueError) as error:
        raise InputError(
            f"{name} = {given!r} is not allowed: give two positive numbers."
        ) from error
    return low, high


# -- the claim --------------------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class StatisticalValidation:
    """The same motions by the classical theory, at the law's time step, and at ten times that."""

    block: Block
    r: float
    dt: float
    """The law's step [s]."""
    classical: Array
    """max |θ|/α by Housner, one entry per motion; 1.5 where it overturns."""
    at_law: Array
    coarse: Array
    """At ten times the law's step."""

    def __repr__(self) -> str:
        law, coarse = (f"{100 * share:.3g} %" for share in self.inside)
        return (
            f"<StatisticalValidation: {len(self.classical)} motions, inside the band at {law} of "
            f"the abscissae with the law's step, at {coarse} with ten times that>"
        )

    @property
    def band(self) -> Band:
        """Pointwise 90 % band of the classical theory's distribution."""
        return confidence_band(self.classical)

    @property
    def overturned(self) -> tuple[float, float, float]:
        """Share of motions that overturn the block: classical, at the law's step, at ten times."""
        samples = (self.classical, self.at_law, self.coarse)
        classical, at_law, coarse = (float(np.mean(x == OVERTURNED)) for x in samples)
        return classical, at_law, coarse

    @property
    def inside(self) -> tuple[float, float]:
        """Share of the abscissae inside the band: at the law's step, at ten times."""
        return share_inside(self.at_law, self.band), share_inside(self.coarse, self.band)

    def plot(self, path: str | Path | None = None) -> "Figure":
        """The distributions and the band (Fig. 17d)."""
        return imported("rocksteady.view.statistics:plot_distributions")([self], path)  # type: ignore[no-any-return]


def validate_statistically(
    motions: Sequence[Motion],
    r: float,
    *,
    block: Block = SPECIMEN,
    formulation: NumericalDissipation | None = None,
    backend: str = "cpu",
    executor: Any = None,
    store: str | Path | None = None,
    progress: bool | Progress = True,
) -> StatisticalValidation:
    """Compare numerical dissipation with Housner's block over many motions.

    Parameters
    ----------
    motions
        The ground motions, e.g. :func:`stochastic_motions`.
    r
        Ratio of kinetic energies at an impact, for both.
    block
        The block; the paper's specimen unless given.
    formulation
        The body on its bed; its dt is replaced by the law's, and by ten times that.
    backend, executor, store, progress
        As in :func:`rocksteady.ensemble`. The store is a folder with a store for each of the three:
        ``classical``, ``law`` and ``coarse``.
    """
    if not len(motions):
        raise InputError("There are no motions: give one at least, e.g. stochastic_motions(block).")
    how = formulation or NumericalDissipation()
    dt = time_step(block, how.k_n, r, law=how.step_law(), body=how.body).dt
    hows: dict[str, Formulation] = {
        "classical": Housner(r=r),
        "law": dataclasses.replace(how, dt=dt, r=None),
        "coarse": dataclasses.replace(how, dt=COARSE * dt, r=None),
    }
    studies = {
        name: Study.of(block, motions, each, until="outcome", backend=backend)
        for name, each in hows.items()
    }
    samples = []
    for part, (name, study) in enumerate(studies.items()):
        data = run_study(
            study,
            executor=executor,
            store=None if store is None else Path(store) / name,
            progress=part_of(progress, part, len(studies)),
        )
        samples.append(largest_of(data))
    return StatisticalValidation(block, r, dt, *samples)
