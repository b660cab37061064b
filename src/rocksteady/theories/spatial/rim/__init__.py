"""A body of revolution on its rim: it rolls and wobbles, restrained to its circle or freely.

body.py            what the step needs to know of the body; its start
frame.py           the frame that leans with the body, and back to the body's axes
rolling.py         the motion on the rim, restrained or free
liftoff.py         rest, and how a lean begins
flat.py            passages close to flat, planar impacts
step.py            rolling, passage: the step
"""

from rocksteady.theories.spatial.places import energy as energy
from rocksteady.theories.spatial.rim.body import at_rest as at_rest
from rocksteady.theories.spatial.rim.body import check as check
from rocksteady.theories.spatial.rim.body import parameters as parameters
from rocksteady.theories.spatial.rim.body import start as start
from rocksteady.theories.spatial.rim.step import ADVANCE as ADVANCE
from rocksteady.theories.spatial.rim.step import doomed as doomed
from rocksteady.theories.spatial.rim.step import resting as resting
from rocksteady.theories.spatial.state import COLUMNS as COLUMNS
