"""
Identify a building from its pushover curve
===========================================

A test or a calculation gives force over displacement. ``identify`` fits the parameters of the
masonry law to this curve and gives a confidence interval for each.
"""

import numpy as np

import rocksteady as rs
from rocksteady.analysis.identification import identify

truth = rs.MasonryBuilding.casalotti2025(mass=60e3)
displacement = np.linspace(0, 18e-3, 200)
force = rs.pushover(truth, displacement).force
force = force + np.random.default_rng(6).normal(0, 0.02 * force.max(), len(force))  # 2 % noise

found = identify(displacement, force, contact_area=truth.contact_area)
found.plot()

# %%
# Γ and γ, which govern the growth of wear, are correlated: one curve shows how much wear there
# is, but hardly how it depends on the energy. ``findings`` reports this:

for sentence in found.findings:
    print("-", sentence)

# %%
# Every interval covers the value from which the curve was generated.

for name, (low, high) in found.intervals.items():
    print(f"{name:16} {low:12.4g} … {high:12.4g}   true {getattr(truth, name):12.4g}")

# sphinx_gallery_start_ignore
assert all(low < getattr(truth, name) < high for name, (low, high) in found.intervals.items())
# sphinx_gallery_end_ignore
