"""What a law of the time step is worth: the r that free rocking shows at its steps.

`TimeStepLaw.errors` was made with it, and the tests make it again.
"""

import dataclasses
import math
from concurrent.futures import ThreadPoolExecutor
from itertools import product

import numpy as np

from rocksteady.analysis.timestep import BLOCKS, RATIOS, STIFFNESSES
from rocksteady.analysis.timestep.runs import ClosedForms, swing_errors
from rocksteady.theories import NumericalDissipation
from rocksteady.theories.dissipation.laws import law_named

LOOKED_AT = np.arange(0.700, 0.9985, 0.001)  # r
HOPELESS = 0.2  # e_G
MIDDLE = 0.905  # of r: the table of errors has a part below it and one above


def errors_in_r(law, how=None, *, blocks=BLOCKS, stiffnesses=STIFFNESSES, ratios=RATIOS):
    """r measured − r wanted [-] in free rocking at the law's step, by block, k_n and r.

    Measured is the r between 0.700 and 0.998, in steps of 0.001, with the smallest e_G (Eq. 8);
    nan where that is above 20 % for all of them.
    """
    how, law = how or NumericalDissipation(), law_named(law)

    def case(place):
        block, k_n = place
        closed, ceilings = ClosedForms.of(block, LOOKED_AT), np.full(len(LOOKED_AT), HOPELESS)
        found = []
        for r in ratios:
            dt = law.step(block, k_n, r)
            run = dataclasses.replace(how, k_n=k_n, dt=dt, r=None)
            e_G = np.hypot(*swing_errors(block, run, dt, closed, ceilings).T)
            best = int(np.argmin(e_G))
            found.append(float(LOOKED_AT[best]) - r if math.isfinite(e_G[best]) else math.nan)
        return found

    with ThreadPoolExecutor(2) as pool:
        found = list(pool.map(case, product(blocks, stiffnesses)))
    return np.reshape(found, (len(blocks), len(stiffnesses), len(ratios)))


def error_table(errors, ratios=RATIOS):
    """Root mean square of the errors of the paper's campaign, by r (below and above 0.9), h/b and
    k_n, as `TimeStepLaw` keeps it."""
    slenderness = np.array([round(block.slenderness) for block in BLOCKS])
    low = np.array(ratios) < MIDDLE
    mean_squares = [
        [np.mean(errors[slenderness == h][..., part] ** 2, axis=(0, 2)) for h in (4, 7, 10)]
        for part in (low, ~low)
    ]
    return np.sqrt(mean_squares).round(4)
