"""
An impact as half a turn in the complex plane
=============================================

Prieto and Lourenço (2005) describe rocking by one smooth equation for a complex number. Nothing
jumps: at an impact the particle passes round the origin, and its phase increases by half a turn.
"""

import matplotlib.pyplot as plt
import numpy as np

import rocksteady as rs
from rocksteady.view.style import DASHED, GREEN, INK, SKY

block = rs.Block(height=4.0, width=1.0)
response = rs.simulate(
    block,
    None,
    rs.ComplexPotential(l=1e-6, eta=0.925),
    theta0=block.alpha / 2,
    duration=11.5 / block.p,
)
t, psi = block.p * response.time, response.column("psi")  # dimensionless time; rad
exact = rs.simulate(block, None, rs.Housner(eta=0.925), theta0=block.alpha / 2)

# %%
fig, (lean, phase) = plt.subplots(2, 1, figsize=(6.7, 3.8), layout="constrained", sharex=True)
lean.plot(t, response.theta / block.alpha, color=SKY, linewidth=2.5, label="complex")
lean.plot(
    block.p * exact.time, exact.theta / block.alpha, color=INK, linestyle=DASHED, label="Housner"
)
lean.set(ylabel="θ/α [-]", xlim=(0, 11.5))
lean.legend(loc="upper right")
phase.plot(t, psi / np.pi, color=GREEN)
phase.set(xlabel="time p t [-]", ylabel="phase ψ/π [-]")
phase.grid(axis="y", linewidth=0.3)

# %%
# The impact times agree with the exact solution.

# sphinx_gallery_start_ignore
known = [1.3193, 3.5287, 5.4408, 7.1262, 8.6292, 9.9803, 11.2020]
assert np.allclose(block.p * response.impacts.time[:7], known, atol=3e-4)
assert abs(psi[-1] / np.pi - 7) < 0.02
# sphinx_gallery_end_ignore
