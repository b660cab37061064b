"""A rigid body in space: it rocks about edges and corners, wobbles and twists.

state.py           what the state holds, and how far the body leans
pivots.py          the body about one of its corners or edges
series.py          the motion about a pivot, as Taylor series
edge.py            how the corners of an edge press on the ground, and when one lets go
strike.py          impacts
rest.py            when a body at rest is lifted, and when it has come to rest
leap.py            the motion over a whole interval, with few numbers kept at a time
touchdown.py       the usual end of a swing: one corner comes down
landing.py         the same with its impact, for many bodies side by side
work.py            the work of the shaking ground
careful.py         the step wherever something may happen
attempt.py         the step where nothing happens, for many bodies side by side
step.py            the step: the attempt, else the careful one; the largest lean within it
rim/               a body of revolution on its rim
places.py          where the body is: centre of mass, yaw, energy
formulation.py     the theory as the engine sees it
"""

from rocksteady.theories.spatial.formulation import Spatial

__all__ = ["Spatial"]
