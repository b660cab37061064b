"""Which blocks fall in which tests: the batch engine's outcome-only runs.

A table of outcomes depends on the motions and the blocks only, not on what was observed.
"""

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rocksteady.bodies import Block
from rocksteady.bodies.units import split_unit
from rocksteady.engine.ground import Ground, Runs
from rocksteady.engine.summary import UNSURE, Rules, Summary
from rocksteady.ensembles.many import batch_engine, need_gpu
from rocksteady.motion import Motion
from rocksteady.numerics.types import Array
from rocksteady.response import ACCOUNTS
from rocksteady.simulation import simulate
from rocksteady.status import Status
from rocksteady.theories import Housner

Report = Callable[[int, int], Any]


class Shaker:
    """Tests as the engine reads them: a motion and a scale each."""

    def __init__(
        self, motions: tuple[Motion, ...], which: NDArray[np.int64], scale: Array, backend: str
    ) -> None:
        need_gpu(backend)
        self.motions, self.which, self.scale, self.backend = motions, which, scale, backend
        self.ground = Ground.of(motions)

    def falls(
        self,
        blocks: Array,
        tests: NDArray[np.intp] | None = None,
        gains: Array | None = None,
        report: Report | None = None,
    ) -> NDArray[np.bool_]:
        """Whether each block falls in each test: (blocks, tests).

        ``blocks`` has a row (p, α right, α left, η) each; ``tests`` chooses some of the tests;
        ``gains``, one per block, multiplies the motions that it sees.
        """
        which, scale = self.which, self.scale
        if tests is not None:
            which, scale = which[tests], scale[tests]
        count, n = len(blocks), len(which)
        if not count or not n:
            return np.zeros((count, n), dtype=bool)
        bodies, laws = bodies_of(blocks)
        runs = Runs(np.arange(count), which, scale, np.array([n, 1, 1]))
        if gains is not None:
            runs = runs._replace(scale=np.outer(gains, scale).ravel())
        for motion in {int(i) for i in which}:
            up, most = self.motions[motion].vertical, float(np.abs(runs.scale).max())
            if up is not None:
                laws[0].check_vertical(bodies[0], most * up)
        status = self._status(bodies, laws, runs, report)
        for run in np.flatnonzero(status == UNSURE):  # a failure: only `simulate` can tell
            body, test = divmod(int(run), n)
            strength = scale[test] if gains is None else gains[body] * scale[test]
            motion = self.motions[which[test]].scaled(float(strength))
            status[run] = simulate(bodies[body], motion, laws[body]).status
        return np.asarray((status == Status.OVERTURNED).reshape(count, n))

    def _status(
        self, bodies: list[Block], laws: list[Housner], runs: Runs, report: Report | None
    ) -> NDArray[np.int8]:
        body, law = bodies[0], laws[0]
        params = np.array([how.parameters(one) for how, one in zip(laws, bodies, strict=True)])
        names = [split_unit(label)[0] for label in law.columns(body)]
        checked = tuple(j for j, name in enumerate(names) if name not in ACCOUNTS)
        loss = (names.index("loss"),)  # as an ensemble keeps it: the same compiled code
        rules = Rules(
            law.resting_for(body),
            law.doomed_for(body),
            law.outcome_for(body),
            int(body.ends),
            loss,
            checked,
            law.exact_rest(body),
        )
        out = Summary.empty(runs.total, len(loss))
        batch_engine(self.backend, name="batch_summary")(
            law.advance_for(body),
            np.array([law.start(body)] * len(bodies)),
            params,
            self.ground,
            runs,
            rules,
            out,
            limits=np.ones((len(bodies), 2)),  # for the peak, which nobody asks for here
            still=np.zeros(len(self.ground.count), dtype=np.int64),
            glide=law.glide_for(body),
            progress=report,
        )
        return out.status


def bodies_of(blocks: Array) -> tuple[list[Block], list[Housner]]:
    """The blocks with these (p, α right, α left, η), and the laws of their impacts. Both impacts of
    an asymmetric block keep the share η² of the energy."""
    bodies = [
        Block.from_sides(p=p, alpha_right=right, alpha_left=left)
        for p, right, left, _ in blocks.tolist()
    ]
    return bodies, [Housner(r=eta**2) for eta in blocks[:, 3].tolist()]
