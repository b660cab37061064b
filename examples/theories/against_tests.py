"""
A theory against tests
======================

A block was shaken 60 times on a table. Which theory agrees with the tests? Single histories cannot
say: rocking is chaotic. The distribution of the largest rotation and the outcomes can.
"""

import numpy as np
import pandas
from scipy.stats import ks_2samp

import rocksteady as rs

block = rs.Block(height=1.2, width=0.25)
made = rs.stochastic.ensemble(60, seed=11)
strengths = np.linspace(0.25, 0.9, len(made))  # g
motions = {
    f"run {i}": motion.scaled_to(pga=9.80665 * float(strength))
    for i, (motion, strength) in enumerate(zip(made, strengths, strict=True), start=1)
}

# %%
# The tests here are made by the computer, so that the truth is known: a block that keeps 0.90 of
# its angular velocity at an impact, on a table whose motion is 3 % off the one that was recorded.

rng, rows = np.random.default_rng(1), []
for name, motion in motions.items():
    shaken = motion.scaled(float(np.exp(0.03 * rng.normal())))
    test = rs.simulate(block, shaken, rs.Housner(eta=0.90))
    fell = test.status is rs.Status.OVERTURNED
    rows.append((name, None if fell else test.peak, "yes" if fell else "no"))
tests = pandas.DataFrame(rows, columns=["motion", "peak [-]", "overturned"])
print(tests.head())

# %%
# With the true loss, and the table's motion known to 3 %, the theory stands. ``spread`` runs each
# test many times, so that outcomes are predicted as probabilities.

how = {"motions": motions, "spread": 0.03, "draws": 20}
right = rs.analysis.validate(block, tests, rs.Housner(eta=0.90), **how)
print("\n".join(right.sentences))
right.plot()

# %%
# With too little loss it leans too far and falls too often.

wrong = rs.analysis.validate(block, tests, rs.Housner(eta=0.97), **how)
print("\n".join(wrong.sentences))
wrong.plot()

# sphinx_gallery_start_ignore
assert not right.rejected and wrong.rejected
assert right.outcomes.accuracy > 0.85
assert wrong.peaks.gap > wrong.peaks.noticeable and wrong.outcomes.biased
assert right.peaks.gap == ks_2samp(right.peaks.observed, right.peaks.predicted).statistic
# sphinx_gallery_end_ignore
