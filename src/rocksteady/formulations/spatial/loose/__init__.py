"""A rigid body that slides, spins or flies: six freedoms, with Coulomb friction at its base.

`layout.py` names the numbers of the state and of the parameters; `cone.py` solves one contact,
`contacts.py` all of them; `moreau.py` is one time step. `base.py`, `pressure.py` and `sliding.py`
are the flat base that slips, `round.py` the round one. `forces.py` tells when a body that sticks
begins to slide, `step.py` joins both.
"""
