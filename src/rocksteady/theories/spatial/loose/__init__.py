"""A rigid body that slides, spins or flies: six freedoms, with Coulomb friction at its base.

`layout.py` names the numbers of the state and of the parameters; `contacts.py` solves one contact,
and all of them; `moreau.py` is one time step. `base.py` and `sliding.py` are the flat base that
slips, `round.py` the round one. `forces.py` tells when a body that sticks
begins to slide, `step.py` joins both.
"""
