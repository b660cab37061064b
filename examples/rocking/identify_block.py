"""
Which block is it?
==================

A gyroscope on a body of unknown shape records how it rocks after a release. From the record alone
come p, α and η, with intervals. Here the record is synthetic, 8 s at 100 Hz, with noise of 1 % and
a sensor whose zero is off.
"""

import numpy as np

import rocksteady as rs

body, eta = rs.Block(height=1.0, width=0.25), 0.9
still = rs.Motion(np.zeros(801), 0.01)


def gyroscope(share):
    """The rate [rad/s] after a release at a share of the balance angle."""
    free = rs.simulate(body, still, rs.Housner(eta=eta), theta0=share * body.alpha, until="motion")
    noise = np.random.default_rng(4).normal(0, 0.01, len(free.time))
    return free.time, free.omega + np.abs(free.omega).max() * noise + 0.02


found = rs.analysis.identify_block(*gyroscope(0.7), kind="rate")
print(*found.sentences, sep="\n")
found.plot()

# %%
# A small release tells only p²α: all blocks with the same p²α rock alike then.

small = rs.analysis.identify_block(*gyroscope(0.08), kind="rate")
print(small.sentences[0])

# %%
# The identified block meets an earthquake.

push = rs.pulses.sine(amplitude=3.5, period=0.8)
print(rs.simulate(found.block(), push, found.formulation()).status)

# sphinx_gallery_start_ignore
assert abs(found.values["p"] / body.p - 1) < 0.01 and abs(found.values["eta"] - eta) < 0.001
assert abs(found.values["alpha"] / body.alpha - 1) < 0.015
assert "Only p²α" in small.sentences[0] and not small.told_apart
low, high = small.intervals["p2alpha"]
assert low < body.p**2 * body.alpha < high
# sphinx_gallery_end_ignore
