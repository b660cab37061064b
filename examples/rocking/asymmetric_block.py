"""
A statue that leans to one side
===============================

Few statues are boxes. If the centre of mass is not above the middle of the base, the statue falls
more easily to one side than to the other, and the direction of the earthquake matters.
"""

import matplotlib.pyplot as plt

import rocksteady as rs
from rocksteady.view.style import BLUE, DASHED, QUIET, VERMILLION

statue = rs.Block(height=1.8, width=0.5, com_height=1.0, offset=0.06, mass=450)  # m, m, m, m, kg
print(
    f"It balances at {statue.right.alpha:.3f} rad to the right, {statue.left.alpha:.3f} to the left"
)

pulse = rs.pulses.ricker(amplitude=4.5, period=0.9)
one_way = rs.simulate(statue, pulse)
other_way = rs.simulate(statue, pulse.mirrored())

# %%
fig, axes = plt.subplots(figsize=(6.7, 2.8), layout="constrained")
axes.plot(one_way.time, one_way.theta, color=BLUE, label="as it is")
axes.plot(other_way.time, other_way.theta, color=VERMILLION, label="reversed")
for balance, name in ((statue.right.alpha, "right"), (-statue.left.alpha, "left")):
    axes.axhline(balance, color=QUIET, linestyle=DASHED)
    axes.text(0.05, balance, f"balances on its {name} edge", color=QUIET, va="bottom")
axes.set(xlabel="time [s]", ylabel="rotation θ [rad]", xlim=(0, 5), ylim=(-0.5, 0.5))
axes.legend(loc="lower right")

# %%
# Under the same pulse the statue stands or falls, depending on the direction. Turning the *statue*
# round is the same as reversing the pulse.

turned = rs.Block(height=1.8, width=0.5, com_height=1.0, offset=-0.06, mass=450)
print(one_way)
print(other_way)
print(rs.simulate(turned, pulse.mirrored()))

# sphinx_gallery_start_ignore
assert statue.right.alpha < statue.left.alpha
assert {one_way.status, other_way.status} == {rs.Status.AT_REST, rs.Status.OVERTURNED}
assert rs.simulate(turned, pulse.mirrored()).peak == one_way.peak
# sphinx_gallery_end_ignore
