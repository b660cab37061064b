"""What becomes of a rocking block once the ground has stopped: its energy tells.

About a corner with angle α the block, leaning by y = |θ| at the rate v, lacks the energy

    d = 1 − cos(α − y) − v²/(2p²)      (per I p²; slender: (α − y)²/2 − v²/(2p²))

to pass its balance point y = α. It keeps d while it leans about that corner: outward bound, it
falls if d < 0 and else turns back where 1 − cos(α − y) = d. On the ground it has the energy
e = 1 − cos α − d; the impact leaves η² e p²/p₊² about the new corner. Later swings are smaller, so
two impacts tell all: the second matters where the two sides differ.
"""

import math

from rocksteady.numerics.decorators import fused_kernel
from rocksteady.theories.housner.rocking import LYING, about


def make_fate(slender: bool):  # type: ignore[no-untyped-def]
    """(``doomed``, ``outcome``) of a rocking block, see `Formulation.doomed_for` and
    `Formulation.outcome_for`; linearised in the angle if ``slender``."""

    @fused_kernel
    def below(angle):  # type: ignore[no-untyped-def]
        """How far the block is below its balance point, ``angle`` away from it."""
        if slender:
            return 0.5 * angle * angle
        half = math.sin(0.5 * angle)
        return 2.0 * half * half

    @fused_kernel
    def turns_at(lack, alpha):  # type: ignore[no-untyped-def]
        """The lean at which a block turns back that lacks so much to pass its balance point."""
        if slender:
            return alpha - math.sqrt(2.0 * lack)
        return alpha - 2.0 * math.asin(math.sqrt(0.5 * lack))

    @fused_kernel
    def lacking(state, params):  # type: ignore[no-untyped-def]
        """(lean, rate outward, d) about the corner on which it leans."""
        side = state[2]
        corner, lean = about(side, params), abs(state[0])
        rate = side * state[1]
        turn = rate / corner.p
        return lean, rate, below(corner.alpha - lean) - 0.5 * turn * turn

    @fused_kernel
    def doomed(state, params):  # type: ignore[no-untyped-def]
        """Whether it falls over the corner on which it leans, before any impact."""
        lean, rate, lack = lacking(state, params)
        return rate > 0 if lack < 0 else lean > about(state[2], params).alpha

    @fused_kernel
    def outcome(state, params):  # type: ignore[no-untyped-def]
        """(whether it falls, largest θ, smallest θ, impacts before it falls) from here on."""
        side = state[2]
        here, there = about(side, params), about(-side, params)
        lean, rate, lack = lacking(state, params)
        this, other = lean, 0.0  # the largest leans to come, about this corner and the other
        impacts = 0
        falls = doomed(state, params)
        if falls:
            this = LYING
        elif rate > 0:
            this = turns_at(lack, here.alpha)
        if not falls:
            slower = there.eta * here.p / there.p
            energy = slower * slower * (below(here.alpha) - lack)
            lack = below(there.alpha) - energy
            falls = lack < 0
            other = LYING if falls else turns_at(lack, there.alpha)
            if falls:
                impacts = 1
            else:
                slower = here.eta * there.p / here.p
                lack = below(here.alpha) - slower * slower * energy
                falls = lack < 0
                this = LYING if falls else max(this, turns_at(lack, here.alpha))
                impacts = 2 if falls else 0
        return (falls, this, -other, impacts) if side > 0 else (falls, other, -this, impacts)

    return doomed, outcome


@fused_kernel
def resting(state, params):  # type: ignore[no-untyped-def]
    """Whether it stands on its whole base."""
    return state[2] == 0


DOOMED, OUTCOME = make_fate(slender=False)
DOOMED_SLENDER, OUTCOME_SLENDER = make_fate(slender=True)
