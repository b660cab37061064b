"""The driver for a live monitor: a block of samples at a time, extremes and alarms kept.

It walks through the same intervals as `peaks` and `trace` with the same compiled step, so that a
record fed in blocks of any size ends in the same state, bit for bit.
"""

import math
from functools import cache
from typing import Any

from rocksteady.engine.drivers import make_interval, widen
from rocksteady.engine.ground import sample
from rocksteady.numerics.decorators import driver, kernel
from rocksteady.theories.contract import NOTHING, OVERTURN

# How an alarm's value is measured.
EXTREME = 0  # of the coordinate on the way through the interval, over a limit for either side
COLUMN = 1  # an entry of the state that only grows
FREQUENCY_DROP = 2  # 1 − sqrt(1 − w), w being an entry of the state


@kernel
def measure(rule, state, high, low):  # type: ignore[no-untyped-def]
    """The value that an alarm compares with its threshold."""
    if rule[0] == EXTREME:
        return max(high / rule[2], -low / rule[3])
    value = state[int(rule[1])]
    return value if rule[0] == COLUMN else 1.0 - math.sqrt(1.0 - value)


@cache
def make_watch(advance: Any) -> Any:
    """The driver that takes a block of samples as it comes and keeps what a monitor must know."""
    interval = make_interval(advance)

    def watch(state, params, ground0, ground, dt, last, extremes, rules, passed):  # type: ignore[no-untyped-def]
        """Go on from sample number ``last``, where the ground had acceleration ``ground0``, through
        the samples of ``ground``, an array for each component. ``extremes`` are (largest
        coordinate, smallest, time of the larger in size, impacts). ``rules`` has a row per alarm:
        kind, column, limits to the right and to the left, threshold; ``passed`` has the sample (−1:
        not yet) and the value.

        Returns (state, samples used, extremes, last event, time used of the last interval).
        """
        highest, lowest, t_peak, impacts = extremes
        reached = highest, lowest, t_peak
        event, used, i = NOTHING, 0.0, 0
        for i in range(len(ground[0])):
            ground1 = sample(ground, i)
            state, used, high, low, t, n, event = interval(state, params, ground0, ground1, dt)
            reached = widen(reached, high, low, (last + i) * dt + t)
            impacts += n
            for k in range(len(rules)):
                if passed[k, 0] < 0.0:
                    value = measure(rules[k], state, high, low)
                    if value >= rules[k, 4]:
                        passed[k, 0], passed[k, 1] = last + i + 1, value
            ground0 = ground1
            if event >= OVERTURN:
                break
        return state, i + 1, (*reached, impacts), event, used

    return driver(watch)
