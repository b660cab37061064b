"""
Pressure under an elastic block
===============================

A real block is not rigid. With ``body="elastic"`` it is a solid of finite elements on a bed of
springs, and the model shows the pressure under the base at an impact.
"""

import numpy as np

import rocksteady as rs
from rocksteady.analysis.body_history import impact_history

column = rs.Block(height=4.2, width=0.6)
formulation = rs.NumericalDissipation(k_n=5e8, dt=0.013, body="elastic", E=1e10)
response = rs.simulate(column, None, formulation, theta0=column.alpha / 2, duration=2.0)
impact_history(response).plot()

# %%
# Before the impact one corner carries the weight, afterwards the other. In between it is spread.

history = rs.body_history(response)
upward = history.force[:, :, 1].sum(axis=1)  # N, over all nodes of the base
weight = column.mass * column.g
print(f"Largest pressure {history.pressure.max() / 1e6:.2f} MPa")
print(f"The floor carries {upward.min() / weight:.2f} to {upward.max() / weight:.2f} of the weight")

# sphinx_gallery_start_ignore
assert history.pressure.min() >= 0  # the bed cannot pull
assert len(response.impacts) == 1
before = history.time < response.impacts.time[0] - 0.1
lower = history.places[np.argmax(history.pressure[before], axis=1)]
assert np.all(lower == 0.3)  # leaning to the right, it stands on its right corner
assert abs(upward[before].mean() / weight - 1) < 0.05
# sphinx_gallery_end_ignore
