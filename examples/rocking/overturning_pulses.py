"""
Which pulses overturn a block: two ways to fall
===============================================

One sine wave of the ground can overturn a block in two ways. A slow wave pushes it over at once.
Under a quicker wave the block swings back, strikes the floor, and falls to the other side in the
second half of the wave. Each pixel below is a separate run.
"""

import numpy as np

import rocksteady as rs

block = rs.Block.from_parameters(p=2.14, alpha=0.25)
pulses = rs.analysis.overturning_map(
    block,
    "sine",
    frequencies=np.linspace(0.5, 8.0, 151),  # ω/p
    strengths=np.linspace(0.5, 10.0, 191),  # a / (g tan α)
    progress=False,
)
pulses.plot()

# %%
# The blue lines are the closed forms of linear theory, for slender blocks; this one is not quite
# slender. Between the two areas there is a region where the block survives a *stronger* pulse: the
# second half of the wave pushes it back.

for sentence in pulses.sentences:
    print(sentence)

# %%
# Any point can be looked at: the map returns the very run.

i, j = pulses.nearest(5.0, 4.0)
pulses.response(i, j).plot()

# %%
# Below g tan α nothing lifts off, whatever the frequency.

# sphinx_gallery_start_ignore
way = rs.analysis.overturning.Way
frequencies, amplitudes, fell = pulses.x.values, pulses.y.values, pulses.fell
assert not fell[:, amplitudes < 1].any()
assert pulses.way(i, j) is way.AFTER_ONE and len(pulses.response(i, j).impacts) == 1
assert 0.5 < pulses.stands_again < 1
# without an impact linear theory is within 1 % up to ω/p = 3, by a step of the map
lowest = np.where(pulses.one.classes == way.AT_ONCE, amplitudes, np.inf).min(axis=1)
slow = frequencies <= 3
line = pulses.closed_forms["no impact"][slow]
assert (abs(lowest[slow] - line) < 0.01 * line + amplitudes[1] - amplitudes[0]).all()
# sphinx_gallery_end_ignore
