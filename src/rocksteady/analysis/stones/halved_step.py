"""How far the step of a run is off, by two more runs with half and with a quarter of it."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from rocksteady.bodies import expect
from rocksteady.bodies.assembly import Assembly
from rocksteady.errors import InputError, held_back
from rocksteady.numerics.types import Array
from rocksteady.response import A_RUN, Response
from rocksteady.simulation import simulate
from rocksteady.status import Status
from rocksteady.theories.assembly import BlockDynamics
from rocksteady.theories.assembly.formulation import TOUCHING, scale
from rocksteady.theories.contract import Formulation

ORDER = {"located": 2, "stepped": 1}  # of the rules: halving the step divides the error by 2 ** it
SAFETY = 3.0  # times the error that the order says; Roache's (1994) for runs with two steps
CLEARLY = 2**-0.5  # of the first change: halving again must change less, for order 1 halves it
LOCATED = 1e-5  # of the way of the stones: how well slips are located, whatever the step


@dataclass(frozen=True)
class StepError:
    """What the time step may have done to a run of stones."""

    step: float
    """The step that ran [s]; it is compared with half and with a quarter of it."""
    displacement: float
    """Bound of the error of the place of any stone at any time [m]; infinite if none is known."""
    turn: float
    """Bound of the error of its turn [rad]; infinite if none is known."""
    otherwise: Status | None = None
    """How a run with a shorter step ended, where stones fell in one of the two and not in the
    other; None where stones fell in all runs or in none."""
    converges: bool = True
    """Whether a quarter of the step changed clearly less than half of it did."""

    @property
    def settled(self) -> bool:
        """Whether stones fell in all runs or in none."""
        return self.otherwise is None

    @property
    def known(self) -> bool:
        """Whether there is a bound: the outcome is settled, the runs converge, and no stone was
        lost."""
        finite = math.isfinite(self.displacement) and math.isfinite(self.turn)
        return self.settled and self.converges and finite

    def summary(self) -> dict[str, Any]:
        """Plain numbers and words; None for a bound that is not known."""
        return {
            "step": self.step,
            "displacement": self.displacement if self.known else None,
            "turn": self.turn if self.known else None,
            "settled": self.settled,
            "converges": self.converges,
            "sentence": self.sentence,
        }

    @property
    def sentence(self) -> str:
        """What was found, in a sentence."""
        ms = 1e3 * self.step
        if not self.settled:
            return (
                f"With half or a quarter of the step of {ms:.3g} ms the outcome is another "
                f"({self.otherwise}): a single run decides nothing here, judge many runs."
            )
        if not self.converges:
            return (
                f"With half of the step of {ms:.3g} ms stones move otherwise, and halving the step "
                "again changes it as much: the error of the step is not known, judge many runs."
            )
        if not self.known:
            return (
                f"The place of a stone was lost, with the step of {ms:.3g} ms or with a shorter "
                "one: the error of the step is not known."
            )
        return (
            f"Beside runs with half and a quarter of the step of {ms:.3g} ms, places err by less "
            f"than {1e3 * self.displacement:.2g} mm and turns by less than {self.turn:.2g} rad."
        )


def step_error(response: Response) -> StepError:
    """Run the stones of a response once more with half and once with a quarter of the step, and
    estimate a bound of the error of the first run. It takes six times as long as the run.

    Both runs change something: places by d₁ = max |y(h) − y(h/2)| and d₂ = max |y(h/2) − y(h/4)|.
    A rule of order p has d₂ = d₁/2ᵖ and the error d₁/(1 − 2⁻ᵖ), so that

        bound = 3 max(d₁, 2ᵖ d₂)/(1 − 2⁻ᵖ) + 10⁻⁵ of the way of the stones
                + the gap within which stones touch

    and the same for turns. Where d₂ exceeds d₁/√2, the runs do not converge at these steps, and no
    bound is given: stones move chaotically, or a run missed an event.

    The residual of a run says how well each step was solved, not how many steps it should have
    been; this says the latter. The error of samples that are too far apart is not part of it.

    Examples
    --------
    >>> import rocksteady as rs
    >>> block = rs.Assembly.drums(1, 0.5, 1.0, friction=0.3)
    >>> push = rs.pulses.sine(amplitude=5.0, period=0.8)
    >>> rs.analysis.step_error(rs.simulate(block, push)).displacement < 1e-5
    True
    """
    expect(response, Response, "The error of a step", A_RUN)
    assembly = expect(response.system, Assembly, "The error of a step")
    how: Any = response.formulation
    refuse_halving(how)
    step = how.step_of(response)
    runs = [response]
    for parts in (2, 4):
        runs.append(_again(response, replace(how, step=step / parts)))
        if Status.FAILED in (response.status, runs[-1].status):
            return StepError(step, math.inf, math.inf)
        if runs[-1].fell != response.fell:
            return StepError(step, math.inf, math.inf, runs[-1].status, converges=False)
    first, half, quarter = (how.poses(assembly, run.states) for run in runs)
    order = ORDER[how.rule_for(assembly)]
    # a corner that is off by the gap turns the smallest stone by TOUCHING
    least = np.array([TOUCHING * scale(assembly), TOUCHING])
    known_to = LOCATED * _largest(first - first[:1]) + least
    change, next_change = _apart(first, half), _apart(half, quarter)
    if not np.isfinite([change, next_change]).all():
        return StepError(step, math.inf, math.inf)
    if (next_change > CLEARLY * change + known_to).any():
        return StepError(step, math.inf, math.inf, converges=False)
    error = np.maximum(change, 2**order * next_change) / (1 - 2.0**-order)
    place, turn = SAFETY * error + known_to
    return StepError(step, float(place), float(turn))


def refuse_halving(how: Formulation) -> None:
    """Refuse theories whose runs with shorter steps say nothing of an error."""
    if how.not_halved:
        raise InputError(
            f"Halving the step of {how.name} does not tell its error: {how.not_halved}."
        )


def _again(response: Response, how: BlockDynamics) -> Response:
    """The same run, followed in another way, without its warnings: the first run has told. Where
    that ended with a fall, this one may fall a little later."""
    assembly: Any = response.system
    until = max(float(response.time[-1]), response.motion.dt)
    if response.fell:
        until += math.sqrt(2 * max(stone.reach for stone in assembly.stones) / assembly.g)
    with held_back():
        return simulate(assembly, response.motion, how, until=until)


def _apart(one: Array, other: Array) -> Array:
    """The largest difference of places and turns at all samples that both runs have."""
    samples = min(len(one), len(other))
    return _largest(one[:samples] - other[:samples])


def _largest(moves: Array) -> Array:
    """(Displacement [m], turn [rad]) of the stone that has moved most, infinite where one is
    lost."""
    size = np.nan_to_num(np.abs(moves), nan=np.inf)
    return np.array([np.hypot(size[..., 0], size[..., 1]).max(), size[..., 2].max()])
