"""The elastic block: plane-stress finite elements on the same bed and rule.

mesh.py      nodes, masses and the stiffness matrix
block.py     parameters and statics, for the formulation
body.py      the tables that the step works in, and how they start
rows.py      solving with the block's matrix, row of nodes by row of nodes
newton.py    Newton's method for the rotation and the base
step.py      one step of the HHT rule, Eqs. 4 and 5
algebra.py   sums of products, an inverse, a small dense solver
"""
