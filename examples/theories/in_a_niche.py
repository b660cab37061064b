"""
A statue in a niche
===================

A statue stands in a niche, 25 mm from its side walls. Does the niche keep it from falling, and what
do the walls bear? The rigid body spring model gives a body several interfaces (Peña), each with
springs, dashpots and friction of its own.
"""

import matplotlib.pyplot as plt

import rocksteady as rs
from rocksteady.view.style import BLUE, INK, ORANGE, VERMILLION

statue = rs.Block(height=1.8, width=0.45)  # it lifts off at 0.25 g
push = rs.pulses.sine(amplitude=6.0, period=0.6)  # m/s², s
base = rs.Interface.base(statue)
walls = [
    rs.Interface.wall(statue, side, bottom=1.3, gap=0.025, K=2e7, beta=1e-3, friction=0.3)
    for side in ("left", "right")
]

# %%
# Alone it falls; between the walls it strikes them and comes to rest.

free = rs.simulate(statue, push, rs.RigidBodySpring(interfaces=[base], friction=0.6))
kept = rs.simulate(statue, push, rs.RigidBodySpring(interfaces=[base, *walls], friction=0.6))
print("in the open: ", free.outcome)
print("in the niche:", kept.outcome)

# %%
# The forces of the walls over the statue's weight.

weight = statue.mass * statue.g
fig, (lean, force) = plt.subplots(2, 1, figsize=(6.7, 4.0), layout="constrained", sharex=True)
lean.plot(free.time, free.theta / statue.alpha, color=VERMILLION, label="in the open")
lean.plot(kept.time, kept.theta / statue.alpha, color=BLUE, label="in the niche")
lean.set(ylabel="θ/α [-]", xlim=(0, 3), ylim=(-1, 1))
lean.legend(loc="upper right")
pushes = {}
for side, colour in (("left", ORANGE), ("right", INK)):
    ends = [kept.column(f"N {end} {side} wall") for end in ("start", "end")]
    pushes[side] = sum(ends) / weight
    force.plot(kept.time, pushes[side], color=colour, label=f"{side} wall")
force.set(xlabel="time [s]", ylabel="force/weight [-]")
force.legend(loc="upper right")

# sphinx_gallery_start_ignore
assert free.fell and kept.status is rs.Status.AT_REST and not kept.outcome.leans
top = kept.column("u") + 0.9 * kept.theta  # m, of the upper corners
assert abs(top.max() - 0.025 - pushes["right"].max() * weight / 2e7) < 5e-4
assert abs(pushes["right"].max() - 2.81) < 0.05
# sphinx_gallery_end_ignore
