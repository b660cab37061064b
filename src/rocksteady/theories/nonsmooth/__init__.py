"""Impact and friction as a complementarity problem (Giouvanidis & Dimitrakopoulos 2016).

lcp.py             section 2: the impact of any planar system, Eqs. 3–10 (``rs.impact``)
contacts.py        the same LCP for the one or two contacts of a block, inside the step
striking.py        section 3: the impact of a rigid block, Eqs. 11–19
leaning.py         the block between impacts: on a corner that sticks (Housner's equation) or slips,
sliding.py           slipping, on the base or on a corner,
flight.py            in the air
block.py             on its base; and one step of it, from these phases
flexible.py        section 4: the flexible oscillator held on the ground, Figs. 2b and 7
column.py          the same with all contacts: its step,
column_forces.py     the forces at its base,
column_motion.py     its smooth motion,
column_striking.py   its impacts,
column_body.py       its parameters, energy and rest
extrapolation.py   smooth motion up to the first of several events
formulation.py     the theory as the engine sees it
"""

from rocksteady.theories.nonsmooth.formulation import Nonsmooth

__all__ = ["Nonsmooth"]
