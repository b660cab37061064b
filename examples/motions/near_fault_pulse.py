"""
The pulse inside a near-fault motion
====================================

Near-fault records often hide one slow velocity pulse under quick shaking. For a tall block the
pulse is nearly all that matters. Here a motion combines a known pulse with noise; the fit recovers
the pulse to within a few per cent.
"""

import matplotlib.pyplot as plt
import numpy as np

import rocksteady as rs
from rocksteady.motion.generate.pulse_fit import fit_mavroeidis
from rocksteady.view.style import BLUE, QUIET, VERMILLION

pulse = rs.pulses.mavroeidis(velocity=1.0, period=1.6, gamma=2.0, dt=0.01, start=4.0, tail=8.0)
noise = rs.stochastic.rezaeian(
    seed=5, arias=0.5, d5_95=8.0, t_mid=5.0, frequency_mid=5.0, frequency_rate=-0.1, damping=0.3
)
n = min(len(pulse), len(noise))
motion = rs.Motion(pulse.accel[:n] + noise.accel[:n], dt=0.01)
found = fit_mavroeidis(motion)
print(f"T = {found.period:.2f} s, {found.velocity:.2f} m/s, {found.energy:.0%} of the energy")

# %%
column = rs.Block(height=10.0, width=2.0)
fig, (acceleration, velocity, lean) = plt.subplots(
    3, 1, figsize=(6.7, 4.6), layout="constrained", sharex=True
)
acceleration.plot(motion.time, motion.accel, color=QUIET, linewidth=0.6)
acceleration.set(ylabel="a [m/s²]")
velocity.plot(motion.time, motion.velocity, color=QUIET, label="motion")
velocity.plot(motion.time, found.velocity_at(motion.time), color=VERMILLION, label="fitted pulse")
velocity.set(ylabel="v [m/s]")
velocity.legend(loc="upper left")

alone = np.gradient(found.velocity_at(motion.time), motion.dt)
responses = {"motion": motion, "fitted pulse": rs.Motion(alone, motion.dt)}
peaks = {}
for (name, shaking), colour in zip(responses.items(), (BLUE, VERMILLION), strict=True):
    response = rs.simulate(column, shaking)
    peaks[name] = response.peak
    lean.plot(response.time, response.theta / column.alpha, color=colour, label=name)
lean.set(xlabel="time [s]", ylabel="θ/α [-]", xlim=(0, 16))
lean.legend(loc="upper left")

# sphinx_gallery_start_ignore
assert abs(found.period / 1.6 - 1) < 0.06 and abs(found.velocity / 1.0 - 1) < 0.06
assert found.energy > 0.8
assert abs(peaks["fitted pulse"] - peaks["motion"]) < 0.02
# sphinx_gallery_end_ignore
