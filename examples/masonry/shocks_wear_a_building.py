"""
Foreshocks matter
=================

Earthquakes come in sequences, and the foreshocks weaken a masonry building before the main shock.
Here it ends up more than eight times as worn as after the main shock alone.
"""

import rocksteady as rs

house = rs.MasonryBuilding.casalotti2025(mass=60e3, damping=2.5e5)  # kg, N s/m
shaking = rs.stochastic.Parameters(
    arias=0.2, d5_95=8.0, t_mid=5.0, frequency_mid=5.0, frequency_rate=-0.1, damping=0.25
)
strengths = {"first foreshock": 0.8, "second foreshock": 0.8, "main shock": 1.0, "aftershock": 0.5}
shocks = [
    rs.Motion(strength * motion.accel, motion.dt, name=name)
    for motion, (name, strength) in zip(
        rs.stochastic.ensemble(4, seed=1, parameters=shaking), strengths.items(), strict=True
    )
]

found = rs.sequence(house, shocks, main=2)
found.plot()

# %%
# Dashed: the main shock alone.

for name, row in zip([*strengths, "main shock alone"], found.rows(), strict=True):
    print(f"{name:18} {row['pga [m/s²]']:.2f} m/s²   wear afterwards {row['wear [-]']:.4f}")

# %%
# Wear lowers the frequency of small vibrations, f/f₀ = √(1 − w), which a sensor can measure.

wear = found.wear[-1]
ratio = house.worn_frequency(wear) / house.worn_frequency(0.0)
print(f"At the end the frequency is {ratio:.1%} of what it was.")

# sphinx_gallery_start_ignore
assert 5 < found.wear_increase < 10
assert found.wear[-1] >= found.wear[0] == 0
assert abs(ratio - (1 - wear) ** 0.5) < 1e-12
# sphinx_gallery_end_ignore
