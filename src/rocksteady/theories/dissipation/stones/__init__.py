"""Several stones by numerical dissipation: springs in the joints, the rule of one block for each.

faces.py      which edges of which stones face each other, and where their springs sit
workspace.py  what the step reads and writes
forces.py     forces of the springs, and how they change with the poses
newton.py     the equations of a step, and Newton's method
settling.py   how stones take up their weight before a run
step.py       one step of the rule, Eqs. 4 and 5, and the state
joint_law.py  the law of the time step, joint by joint
formulation.py  the theory as the engine sees it
telling.py    what is said of a run: its step, and the loss to expect of it
model.py      parameters, start and energies, for the formulation
"""

from rocksteady.theories.dissipation.stones.formulation import JointDissipation

__all__ = ["JointDissipation"]
