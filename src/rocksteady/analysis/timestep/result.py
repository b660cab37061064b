"""What a time-step campaign came to: best steps, the law through them, what misses it."""

from __future__ import annotations

import dataclasses
import math
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from rocksteady.analysis.timestep.bootstrap import Bootstrap, bootstrap
from rocksteady.bodies import Block
from rocksteady.errors import InputError
from rocksteady.files import suffix_of, write_whole
from rocksteady.numerics.types import Array
from rocksteady.registry import imported
from rocksteady.response import table
from rocksteady.theories import NumericalDissipation
from rocksteady.theories.dissipation.law import Range, TimeStepLaw
from rocksteady.theories.dissipation.laws import law_named

if TYPE_CHECKING:
    from matplotlib.figure import Figure

ACCEPTED = 0.07  # e_G: "to exclude the extreme cases"
COLUMNS = "height [m],width [m],R [m],h/b [-],k_n [N/m3],r [-],best dt [s],e_G [-]"


@dataclass(frozen=True, eq=False)
class Campaign:
    """What every run came to, and what follows from it."""

    formulation: NumericalDissipation
    """The body; its k_n and dt are those of the single runs."""
    blocks: tuple[Block, ...]
    stiffnesses: Array
    """k_n [N/m³]."""
    steps: Array
    """Δt [s]."""
    ratios: Array
    """r [-]."""
    errors: Array
    """(e_θ, e_T) by block, k_n, Δt and r; infinite where a run was not followed to the end."""

    def __repr__(self) -> str:
        return (
            f"<Campaign: {self.runs} runs of a {self.body} body, best steps for "
            f"{int(self.accepted.sum())} of {self.accepted.size} cases accepted>"
        )

    @property
    def runs(self) -> int:
        """How many there are: blocks × k_n × Δt."""
        return len(self.blocks) * len(self.stiffnesses) * len(self.steps)

    @property
    def body(self) -> str:
        """``"rigid"`` or ``"elastic"``."""
        return self.formulation.body

    @cached_property
    def e_G(self) -> Array:
        """Eq. 8, by block, k_n, Δt and r."""
        return np.asarray(np.hypot(self.errors[..., 0], self.errors[..., 1]))

    @cached_property
    def best_step(self) -> Array:
        """The step [s] with the smallest e_G, by block, k_n and r."""
        return np.asarray(self.steps[np.argmin(self.e_G, axis=2)])

    @cached_property
    def best_error(self) -> Array:
        """Its e_G."""
        return np.asarray(self.e_G.min(axis=2))

    @cached_property
    def accepted(self) -> NDArray[np.bool_]:
        """Whether that is at most 7 %."""
        return np.asarray(self.best_error <= ACCEPTED)

    @cached_property
    def cases(self) -> np.recarray[Any, Any]:
        """A row for each accepted case: number of the block, R [m], slenderness, k_n [N/m³], r,
        dt [s] (the best one) and e_G."""
        block, bed, ratio = np.nonzero(self.accepted)
        return table(
            block=block,
            R=np.array([each.R for each in self.blocks])[block],
            slenderness=np.array([each.slenderness for each in self.blocks])[block],
            k_n=self.stiffnesses[bed],
            r=self.ratios[ratio],
            dt=self.best_step[self.accepted],
            e_G=self.best_error[self.accepted],
        )

    # -- the law ---------------------------------------------------------------------------------

    def predicted(self, law: str | TimeStepLaw) -> Array:
        """Δt [s] of a law for each of the ``cases``."""
        return predict(law_named(law).coefficients, self.cases)

    def r2(self, law: str | TimeStepLaw) -> float:
        """Coefficient of determination R² of a law for the accepted best steps."""
        dt = self._enough().dt
        scatter = float(np.sum((dt - dt.mean()) ** 2))
        return 1 - float(np.sum((self.predicted(law) - dt) ** 2)) / scatter

    def fit(self, name: str = "fitted") -> TimeStepLaw:
        """The law (Eq. 6) by nonlinear least squares through the accepted best steps."""
        from scipy.optimize import least_squares

        cases = self._enough()

        def lacking(x: Array) -> Array:  # in ms; A1 for k_n in GN/m³, else it hangs on A3
            step = predict((math.exp(x[0]) * 1e9 ** -x[2], x[1], x[2]), cases)
            return np.asarray(1e3 * (step - cases.dt))

        a, A2, A3 = (float(x) for x in least_squares(lacking, (-3.5, 0.6, -0.2)).x)
        law = TimeStepLaw(
            name,
            math.exp(a) * 1e9**-A3,
            A2,
            A3,
            self.body,
            self.formulation.spacing,
            0.0,
            self.formulation.rule.alpha,
            slenderness=_range(each.slenderness for each in self.blocks),
            R=_range(each.R for each in self.blocks),
            k_n=_range(self.stiffnesses),
            r=_range(self.ratios),
        )
        return dataclasses.replace(law, r2=self.r2(law))

    def bootstrap(self, draws: int = 2000, seed: int = 0) -> Bootstrap:
        """How sure the constants of `fit` are: it is made again for ``draws`` resamplings of the
        block–bed cells, drawn with ``seed``.

        >>> import rocksteady as rs
        >>> from rocksteady.analysis import timestep
        >>> made = timestep.campaign(steps=timestep.STEPS[1::2], ratios=(0.86, 0.92, 0.98))
        >>> A1, A2, A3 = made.bootstrap().interval(0.95).T  # lower and upper end of each
        """
        return bootstrap(self._enough(), draws, seed)

    def _enough(self) -> np.recarray[Any, Any]:
        if len(self.cases) < 4 or np.ptp(self.cases.dt) == 0:
            raise InputError(
                f"{len(self.cases)} accepted cases are too few for a regression: take more blocks, "
                "stiffnesses, ratios or time steps."
            )
        return self.cases

    def misses(self, law: str | TimeStepLaw) -> list[dict[str, Any]]:
        """For each slenderness and stiffness: cases, accepted ones, those whose best step is the
        longest tried, mean and standard deviation of best step over law."""
        slenderness = np.array([round(each.slenderness, 6) for each in self.blocks])
        ratio = np.full(self.accepted.shape, np.nan)
        ratio[self.accepted] = self.cases.dt / self.predicted(law)
        rows = []
        for value in np.unique(slenderness):
            for bed, k_n in enumerate(self.stiffnesses):
                mine = slenderness == value
                good = self.accepted[mine, bed]
                found = ratio[mine, bed][good]
                rows.append(
                    {
                        "slenderness": float(value),
                        "k_n": float(k_n),
                        "cases": int(good.size),
                        "accepted": int(good.sum()),
                        "at_longest_step": int(
                            (self.best_step[mine, bed][good] == self.steps[-1]).sum()
                        ),
                        "best_over_law": float(found.mean()) if len(found) else math.nan,
                        "scatter": float(found.std()) if len(found) else math.nan,
                    }
                )
        return rows

    def plot(self, path: str | Path | None = None, law: str | TimeStepLaw | None = None) -> Figure:
        """Figs. 9 and 10: estimated and measured steps; by default against its own fit."""
        return imported("rocksteady.view.timestep:plot_campaign")(self, path, law)  # type: ignore[no-any-return]

    def save_cases(self, path: str | Path) -> Path:
        """Write the accepted cases to a .csv file."""
        suffix_of(path, ("csv",), "a table")
        lines = [COLUMNS]
        for case in self.cases:
            block = self.blocks[case.block]
            numbers = (block.height, block.width, case.R, case.slenderness, case.k_n, case.r)
            lines.append(",".join(f"{x:.6g}" for x in (*numbers, case.dt, case.e_G)))
        return write_whole(Path(path), "\n".join(lines) + "\n")


def predict(coefficients: tuple[float, float, float], cases: np.recarray[Any, Any]) -> Array:
    """Eq. 6 [s] for each row of ``cases``."""
    A1, A2, A3 = coefficients
    size = cases.R * cases.slenderness
    return np.asarray(-A1 * size**A2 * cases.k_n**A3 * np.log(cases.r))


def _range(values: Any) -> Range:
    numbers = [float(value) for value in values]
    return Range(min(numbers), max(numbers))
