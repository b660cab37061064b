"""
A statue under a pulse
======================

The strong part of a near-fault earthquake is often a few slow pushes and pulls. Will a statue
1.8 m high and half a metre wide survive them?
"""

import rocksteady as rs

statue = rs.Block(height=1.8, width=0.5)  # full dimensions [m]
pulse = rs.pulses.mavroeidis(velocity=0.8, frequency=1.0, gamma=6.0)  # m/s, Hz
response = rs.simulate(statue, pulse)
response.plot()

# %%
# It stands. Its largest lean was four fifths of the angle at which it balances on its edge. This
# is not a margin of a fifth.

print(f"{response.status}: {response.status.advice}")
print(f"Largest lean {response.peak:.0%} of its balance angle, at {response.time_of_peak:.2f} s")

# %%
# Under a motion five per cent stronger, it falls.

stronger = rs.simulate(statue, pulse.scaled(1.05))
stronger.plot()

# %%
# Do not rely on the first answer, although it is correct: one run covers one motion. To find out
# how often such a statue falls, run many (:doc:`/questions`).

print(stronger)

# sphinx_gallery_start_ignore
assert response.status is rs.Status.AT_REST
assert 0.75 < response.peak < 0.85
assert stronger.status is rs.Status.OVERTURNED
# sphinx_gallery_end_ignore
