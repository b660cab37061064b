"""
When the time step sets the loss
================================

Finite element codes dissipate energy at an impact through their implicit time integration, by an
amount that depends on the step. D'Altri et al. (2024) make use of this: they choose the step that
gives the wanted loss. ``rs.NumericalDissipation`` applies the same method to a rigid block.
"""

import matplotlib.pyplot as plt

import rocksteady as rs
from rocksteady.view.style import BLUE, GREEN, INK, ORANGE

column = rs.Block(height=4.2, width=0.6)
print(f"For r = 0.94 the law gives {rs.time_step(column, k_n=5e8, r=0.94).dt * 1e3:.1f} ms")

fig, axes = plt.subplots(figsize=(6.7, 3), layout="constrained")
measured = {}
for dt, colour in ((0.007, GREEN), (0.013, BLUE), (0.026, ORANGE)):
    formulation = rs.NumericalDissipation(k_n=5e8, dt=dt)
    response = rs.simulate(column, None, formulation, theta0=column.alpha / 2, duration=60.0)
    measured[dt] = rs.measure_r(response).r
    label = f"{dt * 1e3:.0f} ms: r = {measured[dt]:.3f}"
    axes.plot(response.time, response.theta / column.alpha, color=colour, label=label)

exact = rs.simulate(column, None, rs.Housner(r=0.94), theta0=column.alpha / 2)
axes.plot(
    exact.time, exact.theta / column.alpha, color=INK, linewidth=0.5, label="Housner, r = 0.94"
)
axes.set(xlabel="time [s]", ylabel="θ/α [-]", xlim=(0, 15))
fig.legend(loc="outside lower center", ncols=4)

# %%
# A longer step loses more.

# sphinx_gallery_start_ignore
assert measured[0.007] > measured[0.013] > measured[0.026]
assert abs(measured[0.013] - 0.94) < 0.015
# sphinx_gallery_end_ignore
