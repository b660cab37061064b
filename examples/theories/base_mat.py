"""
Calibrate the loss of a mat
===========================

On a stone floor a column keeps some 94 % of its energy at each impact; on a mat it keeps less.
Suppose a test gave r = 0.90. ``rs.calibrate`` finds the dashpots of the rigid body spring model
that give this r: it simulates free rocking and measures r.
"""

import matplotlib.pyplot as plt

import rocksteady as rs
from rocksteady.view.style import BLUE, VERMILLION

column = rs.Block(height=4.2, width=0.6)
soft = rs.RigidBodySpring(K=5e6)  # N/m under each corner
found = rs.calibrate(column, soft, r=0.90)
print(f"{found.parameter} = {found.value:.4g} gives r = {found.r:.4f}, wanted {found.wanted}")

# %%
on_stone = rs.simulate(column, theta0=column.alpha / 2)
on_mat = rs.simulate(column, None, found.formulation, theta0=column.alpha / 2)

fig, axes = plt.subplots(figsize=(6.7, 2.8), layout="constrained")
axes.plot(on_stone.time, on_stone.theta / column.alpha, color=BLUE, label="stone on stone")
axes.plot(on_mat.time, on_mat.theta / column.alpha, color=VERMILLION, label="on the mat")
axes.set(xlabel="time [s]", ylabel="θ/α [-]", xlim=(0, 15))
axes.legend()

# %%
# On springs r is not quite constant: smaller swings lose a little more.

kept = on_mat.decay().r[:5]
print(kept.round(4))

# sphinx_gallery_start_ignore
assert abs(kept[0] - 0.90) < 0.003
assert kept.max() - kept.min() < 0.01
assert abs(on_stone.decay().r[0] - column.r) < 1e-9
# sphinx_gallery_end_ignore
