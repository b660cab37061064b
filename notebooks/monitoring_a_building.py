# ---
# jupyter:
#   jupytext:
#     formats: ipynb,py:percent
#   kernelspec:
#     display_name: Python 3
#     language: python
#     name: python3
# ---

# %% [markdown]
# # Monitoring a masonry building
#
# A stone house was pushed slowly by jacks until its walls began to slip. It will get a sensor, so
# that we know after each earthquake how much it was damaged. In this notebook we
#
# 1. identify the parameters of the house from the pushover test,
# 2. feed a sequence of earthquakes to the model, sample by sample, as the sensor would deliver
#    them,
# 3. set alarms and survive a power cut.

# %%
import tempfile
from pathlib import Path

import matplotlib.pyplot as plt
import numpy as np

import rocksteady as rs
from rocksteady.analysis.identification import identify
from rocksteady.view.style import BLUE, DASHED, INK, QUIET, VERMILLION

# %% [markdown]
# ## The pushover test
#
# In this law (Casalotti et al. 2025) the walls stand on a plane that adheres, then slips, hardens
# and wears. Here the test is synthetic, from known parameters with two per cent of noise; read your
# own with `read_curve("curve.csv")`.

# %%
truth = rs.MasonryBuilding.casalotti2025(mass=60e3)
displacement = np.linspace(0, 18e-3, 250)  # m
force = rs.pushover(truth, displacement).force
force = force + np.random.default_rng(2).normal(0, 0.02 * force.max(), len(force))  # N

found = identify(displacement, force, contact_area=16.07, fixed={"wear_exponent": 2.0})
found.plot()

# %%
for name, (low, high) in found.intervals.items():
    print(f"{name:16} {found.values[name]:12.5g}   (95 %: {low:.4g} to {high:.4g})")

# %% [markdown]
# The mass follows from the natural frequency of the house, measured as 6.6 Hz in the wind. Five per
# cent of damping represents all losses that the law leaves out.

# %%
mass = found.mass_from_frequency(6.6)
house = found.building(mass=mass)
house = found.building(mass=mass, damping=0.05 * 2 * mass * house.natural_frequency)
print(f"{mass / 1e3:.0f} t, slips above {house.elastic_force / 1e3:.0f} kN")

# %% [markdown]
# ## A bad month
#
# Two foreshocks, a main shock and an aftershock. We shorten the quiet days between them to half a
# minute of traffic noise.

# %%
shaking = rs.stochastic.Parameters(
    arias=0.2, d5_95=8.0, t_mid=5.0, frequency_mid=5.0, frequency_rate=-0.1, damping=0.25
)
shocks = rs.stochastic.ensemble(4, seed=1, parameters=shaking)
strengths = (0.8, 0.8, 1.0, 0.5)
month = shocks[0].scaled(strengths[0])
for shock, strength in zip(shocks[1:], strengths[1:], strict=True):
    month = month.then(shock.scaled(strength), gap=30.0)
noise = np.random.default_rng(3).normal(0, 0.005, len(month))
samples = month.accel + noise  # m/s²
print(f"{len(samples)} samples in {month.duration:.0f} s")

# %% [markdown]
# ## The monitor
#
# Alarms are limits on the model's results: here wear of 1 % (inspect the house), wear of 5 % (close
# it), and a drift of 4 mm.

# %%
monitor = rs.Monitor(house, dt=month.dt, alarms={"wear": (0.01, 0.05), "drift": 0.004})
wear, drop = [], []
for a_h in samples:
    reading = monitor.push(a_h)
    wear.append(reading.values["wear"])
    drop.append(reading.values["frequency_drop"])

for alarm in monitor.alarms:
    print(alarm)

# %%
fig, (ground, worn) = plt.subplots(2, 1, figsize=(6.7, 4), layout="constrained", sharex=True)
ground.plot(month.time, samples, color=INK, linewidth=0.5)
ground.set(ylabel="ground [m/s²]")
worn.plot(month.time, wear, color=VERMILLION, label="wear w")
worn.plot(month.time, drop, color=BLUE, label="loss of frequency 1 − f/f₀")
for alarm, side in zip(monitor.alarms[:2], ("right", "left"), strict=True):
    worn.axvline(alarm.time, color=QUIET, linestyle=DASHED)
    worn.text(alarm.time, 0.02, f" wear ≥ {alarm.threshold:g} ", color=QUIET, ha=side)
worn.set(xlabel="time [s]", ylabel="[-]")
worn.legend(loc="upper left")
plt.show()

# %% [markdown]
# The foreshocks left no visible damage: the wear was below 0.1 %. Yet they had made the house slip
# and harden before the main shock. Alone, that shock would have worn it far less:

# %%
sequence = rs.sequence(house, [s.scaled(k) for s, k in zip(shocks, strengths, strict=True)], main=2)
print(f"Wear after the main shock {sequence.shocks[2].row()['wear [-]']:.3f}")
print(f"After that shock alone    {sequence.alone.row()['wear [-]']:.3f}")

# %% [markdown]
# ## A power cut
#
# The monitor writes its state to a file, whole or not at all. After a power cut it resumes from
# that file, and the result is the same, bit for bit.

# %%
cut = len(samples) // 2
first = rs.Monitor(house, dt=month.dt)
first.push_block(samples[:cut])
folder = tempfile.TemporaryDirectory()
file = Path(folder.name) / "house.json"
first.save(file)

second = rs.Monitor.restore(file)
second.push_block(samples[cut:])
print("The same state:", second.state == monitor.state)

# %% [markdown]
# For a real sensor you do not have to write a program. One command starts the monitor and resumes
# after a crash, a power cut or a full disk:
#
#     rocksteady monitor --building house.toml --follow samples.csv --log house \
#         --alarm wear=0.01 --on-alarm ./call.sh
#
# It reads a growing file, a pipe, a serial line or a socket, sends alarms to a command or a web
# address, and monitors a whole town from one file (`--config`). `edge/` has a C version for
# microcontrollers.
#
# ## A minute without data
#
# The sensor was off for a minute. The monitor assumes that the ground was at rest, and from then on
# marks its results as uncertain: the wear is a lower bound.

# %%
patchy = rs.Monitor(house, dt=month.dt)
patchy.push_block(samples[:1000])
patchy.rest(round(60 / month.dt))
reading = patchy.push_block(samples[1000:2000])
print("Certain:", reading.certain, {why: f"{d.seconds:.0f} s" for why, d in patchy.doubts.items()})

# %% [markdown]
# ## Limits
#
# The model has one plane that slips. A real house also cracks and loses floors and corners. The
# monitor trusts the sensor: it misses any shock while the sensor is off, and reports the gap. Check
# the model with the frequency of the real house, measured by a second sensor: if it drops more than
# the model's, trust the measurement.

# %% tags=["remove-cell"]
assert second.state == monitor.state
assert monitor.certain and not reading.certain
assert all(alarm.raised for alarm in monitor.alarms if alarm.quantity == "wear")
assert abs(drop[-1] - (1 - np.sqrt(1 - wear[-1]))) < 1e-12
low, high = found.intervals["threshold"]
assert low < truth.threshold < high
