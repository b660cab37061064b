"""
A block from yes and no
=======================

Forty-eight pulses shook a block; all that was noted is whether it overturned. Which blocks explain
the list, and how likely is the next pulse to overturn it?
"""

import numpy as np

import rocksteady as rs
from rocksteady.analysis.rocking_identification import OutcomeTests

body, impacts = rs.Block.from_parameters(p=5.1, alpha=0.17), rs.Housner(eta=0.93)
shapes = [rs.pulses.sine(amplitude=1.0, period=period) for period in (0.3, 0.5, 0.8, 1.2)]
strengths = np.geomspace(1.2, 12.0, 12)
motions = [shape for shape in shapes for _ in strengths]
scales = np.tile(strengths, len(shapes))
overturned = [
    rs.simulate(body, motion.scaled(scale), impacts).status == rs.Status.OVERTURNED
    for motion, scale in zip(motions, scales, strict=True)
]

tests = OutcomeTests(motions, overturned, scales)
found = rs.analysis.identify_from_outcomes(tests, p=(4.0, 6.5), alpha=(0.10, 0.25))
print(*found.sentences, sep="\n")
found.plot()

# %%
# A prediction is a probability, the average over all blocks that explain the list.

new = rs.pulses.ricker(amplitude=1.0, period=0.6)
for scale, chance in zip((2.0, 3.0, 4.0, 6.0), found.predict([new] * 4, [2, 3, 4, 6]), strict=True):
    print(f"{scale:.0f} m/s²: overturns it with probability {chance:.2f}")

# sphinx_gallery_start_ignore
low, high = found.intervals["alpha"]
assert low < 0.17 < high and found.kept["alpha"] < 0.5
assert found.accuracy > 0.85
chance = found.predict([new] * 2, [0.5, 20.0])
assert chance[0] < 0.05 and chance[1] > 0.9
# sphinx_gallery_end_ignore
