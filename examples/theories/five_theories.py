"""
One block, five theories
========================

Rocking has been written down in several ways: one equation and a rule for the impact (Housner),
contacts as complementarity, springs under the corners, an implicit rule whose time step sets the
loss, one complex equation. ``rs.compare`` lets all of them move the same block.
"""

import rocksteady as rs

block = rs.Block(height=4.2, width=0.6)
pulse = rs.pulses.sine(amplitude=0.25 * block.g, period=0.8)
found = rs.compare(block, pulse)
found.plot()

# %%
# They agree on the first swing and drift apart slowly, as small differences at every impact add
# up. Numerical dissipation begins with a head start: its block stands on soft springs and tilts
# a little before it lifts off. Close to the weakest pulse that lifts it this matters much more.

print(found)

# %%
# All leave it standing, and their peaks differ by a few per cent.

# sphinx_gallery_start_ignore
responses = [entry.response for entry in found.entries if entry.response is not None]
peaks = [response.peak for response in responses]
assert len(peaks) == 5
assert max(peaks) / min(peaks) < 1.1
assert all(response.status is not rs.Status.OVERTURNED for response in responses)
# sphinx_gallery_end_ignore
