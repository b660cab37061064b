"""How far the step of a run is off, by a second run with half of it."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from rocksteady.errors import held_back
from rocksteady.formulations.assembly import BlockDynamics
from rocksteady.numerics.types import Array
from rocksteady.response import A_RUN, Response
from rocksteady.simulation import simulate
from rocksteady.status import Status
from rocksteady.systems import expect
from rocksteady.systems.assembly import Assembly

SAFETY = 6.0  # times the difference of both runs
LOCATED = 1e-5  # of the way of the stones: how well slips are located, whatever the step


@dataclass(frozen=True)
class StepError:
    """What the time step may have done to a run of stones."""

    step: float
    """The step that ran [s]; it is compared with half of it."""
    displacement: float
    """Bound of the error of the place of any stone at any time [m]."""
    turn: float
    """Bound of the error of its turn [rad]."""
    halved: Status
    """How the run with half the step ended."""
    settled: bool
    """Whether stones fell in both runs or in neither."""

    @property
    def known(self) -> bool:
        """Whether both bounds are finite: no stone was lost in either run."""
        return math.isfinite(self.displacement) and math.isfinite(self.turn)

    def summary(self) -> dict[str, Any]:
        """Plain numbers and words; None for a bound that is not known."""
        return {
            "step": self.step,
            "displacement": self.displacement if self.known else None,
            "turn": self.turn if self.known else None,
            "settled": self.settled,
            "sentence": self.sentence,
        }

    @property
    def sentence(self) -> str:
        """What was found, in a sentence."""
        ms = 1e3 * self.step
        if not self.settled:
            return (
                f"With half the step of {ms:.3g} ms the outcome is another ({self.halved}): a "
                "single run decides nothing here, look at many."
            )
        if not self.known:
            return (
                f"The place of a stone was lost, with the step of {ms:.3g} ms or with half of it: "
                "the error of the step is not known."
            )
        return (
            f"Beside a run with half the step of {ms:.3g} ms, places err by less than "
            f"{1e3 * self.displacement:.2g} mm and turns by less than {self.turn:.2g} rad."
        )


def step_error(response: Response) -> StepError:
    """Run the stones of a response once more with half the step, and bound the error of the first
    run by six times the largest difference and 10⁻⁵ of the way that stones have moved. It takes
    twice the time of the run.

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
    how = expect(response.formulation, BlockDynamics, "The error of a step")
    dt = response.motion.dt
    step = dt / math.ceil(dt / how.step_for(assembly) - 1e-9)
    with held_back():  # the first run has told
        finer = replace(how, step=step / 2)
        again = simulate(assembly, response.motion, finer, until=max(response.time[-1], dt))
    samples = min(len(response.time), len(again.time))
    one, other = (how.poses(assembly, run.states[:samples]) for run in (response, again))
    place, turn = (
        SAFETY * apart + LOCATED * moved
        for apart, moved in zip(_largest(one - other), _largest(one - one[:1]), strict=True)
    )
    return StepError(step, place, turn, again.status, again.fell == response.fell)


def _largest(moves: Array) -> tuple[float, float]:
    """(Displacement [m], turn [rad]) of the stone that has moved most, infinite where one is
    lost."""
    size = np.nan_to_num(np.abs(moves), nan=np.inf)
    return float(np.hypot(size[..., 0], size[..., 1]).max()), float(size[..., 2].max())
