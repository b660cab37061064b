"""
From which side: a statue in space
==================================

A record has two horizontal components, and nobody knows from which side the next earthquake comes.
Here a statue on a rectangular base is followed in space: it rocks on its edges, rolls onto its
corners, turns and walks.
"""

import numpy as np

import rocksteady as rs
from rocksteady.view.space import plot_directions

statue = rs.Body.box(0.45, 0.60, 1.8)
shaking = rs.stochastic.Parameters(
    arias=1.5, d5_95=5.0, t_mid=4.0, frequency_mid=4.0, frequency_rate=-0.1, damping=0.4
)
x, y, z = rs.stochastic.ensemble(3, 5, shaking)
motion = x.scaled_to(pga=4.5).with_transverse(y.scaled_to(pga=4.0)).with_vertical(0.5 * z.accel)
motion = motion.renamed("a stochastic motion")
response = rs.simulate(statue, motion)
response.plot()

# %%
# The lower panels look from above. On the left is the way of the base over the floor. On the right
# is how far the statue leans, by direction; the dashed line is the balance point. It is further out
# over the corners than over the edges. ``response.animate("statue.mp4")`` makes a film of it.
#
# The same motion from all sides and with several strengths, in space and in the statue's two
# planes:

sides, strengths = np.arange(0, 360, 15), np.linspace(0.25, 2.5, 10)
found = rs.analysis.direction_map(statue, motion, sides, strengths, progress=False)
plot_directions(found)

# %%
# The planes see each component alone. They agree with space where the statue does not lift off, and
# roughly on the strength from which it may fall; cell by cell they differ.

plane = found.planar_fell.any("plane")
both = float((found.fell == plane).mean())
print(f"falls in space {float(found.fell.mean()):.0%}, in a plane {float(plane.mean()):.0%}")
print(f"the same verdict in {both:.0%} of the runs")

# sphinx_gallery_start_ignore
assert not response.fell and 0 < response.peak < 1
assert 0.6 < both < 1
# the planes are those of the edges: whoever lifts off in space lifts off in one of them
assert ((found.planar_peak.max("plane") > 0) == (found.peak > 0)).all()
# sphinx_gallery_end_ignore
