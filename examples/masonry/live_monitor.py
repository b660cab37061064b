"""
Monitor a building live
=======================

A sensor beside a building sends samples. The monitor drives the building's model with them and
raises an alarm at the first sample at which the wear exceeds a limit.
"""

import matplotlib.pyplot as plt
import numpy as np

import rocksteady as rs
from rocksteady.view.style import DASHED, INK, QUIET, VERMILLION

house = rs.MasonryBuilding.casalotti2025(mass=60e3, damping=2.5e5)  # kg, N s/m
shaking = rs.stochastic.rezaeian(
    seed=5, arias=0.45, d5_95=12.0, t_mid=8.0, frequency_mid=4.0, frequency_rate=-0.1, damping=0.3
)

monitor = rs.Monitor(house, dt=shaking.dt, alarms={"wear": (0.01, 0.05)})
readings = [monitor.push(sample) for sample in shaking.accel]
wear = np.array([reading.values["wear"] for reading in readings])

# %%
for alarm in monitor.alarms:
    print(alarm)

fig, (ground, worn) = plt.subplots(2, 1, figsize=(6.7, 3.6), layout="constrained", sharex=True)
ground.plot(shaking.time, shaking.accel, color=INK, linewidth=0.6)
ground.set(ylabel="a [m/s²]", title="Samples from the sensor")
worn.plot(shaking.time, wear, color=VERMILLION)
worn.set(xlabel="time [s]", ylabel="wear w [-]", title="Wear computed by the monitor", xlim=(0, 30))
for alarm, side, y in zip(monitor.alarms, ("right", "left"), (0.06, 0.01), strict=True):
    worn.axvline(alarm.time, color=QUIET, linestyle=DASHED)
    worn.text(alarm.time, y, f" wear {alarm.threshold}: {alarm.time:.2f} s ", ha=side)

# %%
# The live result is not an approximation: one run of the whole record gives the same, bit for bit.

whole = rs.simulate(house, shaking, duration=shaking.duration)
print("the same wear at every sample:", np.array_equal(whole.column("w"), wear))

# sphinx_gallery_start_ignore
assert np.array_equal(whole.column("w"), wear)
assert monitor.alarms[0].sample == int(np.argmax(wear >= 0.01))
# sphinx_gallery_end_ignore
