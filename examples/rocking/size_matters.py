"""
The larger, the safer
=====================

Two blocks of the same shape lift off at the same acceleration. But the larger one turns more slowly
and needs a far stronger pulse to fall. Housner called this the scale effect; it is why temple
columns stand where gravestones fell.
"""

import matplotlib.pyplot as plt
import numpy as np

import rocksteady as rs
from rocksteady.view.style import BLUE, DASHED, QUIET

ALPHA, PERIOD = 0.2, 0.5  # rad, s


def smallest_overturning(radius: float) -> float:
    """Amplitude [g tan α] at which one sine wave begins to overturn a block with this R [m]."""
    block = rs.Block(2 * radius * np.cos(ALPHA), 2 * radius * np.sin(ALPHA), g=9.80665)
    pulse = rs.pulses.sine(block.g * np.tan(ALPHA), period=PERIOD, dt=0.0002)
    low, high = 1.0, 1.05
    while rs.simulate(block, pulse.scaled(high), duration=2.0).status is not rs.Status.OVERTURNED:
        low, high = high, high * 1.05
    while high - low > 1e-6:
        middle = 0.5 * (low + high)
        fell = rs.simulate(block, pulse.scaled(middle), duration=2.0).status is rs.Status.OVERTURNED
        low, high = (low, middle) if fell else (middle, high)
    return high


radii = np.array([0.1, 0.25, 0.5, 0.75, 1.0, 1.25, 1.5, 1.75, 2.0])
needed = np.array([smallest_overturning(radius) for radius in radii])

# %%
fig, axes = plt.subplots(figsize=(6.7, 2.8), layout="constrained")
axes.plot(2 * radii * np.cos(ALPHA), needed, "o-", color=BLUE)
axes.axhline(1, color=QUIET, linestyle=DASHED)
axes.text(3.9, 1.1, "lifts off", color=QUIET, ha="right")
axes.set(xlabel="height of the block [m]", ylabel="overturning pulse [g tan α]", ylim=(0, None))

# %%
# Independent code gives the same amplitudes for R = 0.25, 0.5, 1 and 2 m.

# sphinx_gallery_start_ignore
known = {0.25: 1.261891, 0.5: 1.458444, 1.0: 2.163786, 2.0: 5.154922}
for radius, amplitude in known.items():
    assert abs(needed[radii == radius].item() - amplitude) < 1e-5
# sphinx_gallery_end_ignore
