"""Array types, for annotations."""

import numpy as np
from numpy.typing import NDArray

Numbers = tuple[float, ...]
Array = NDArray[np.float64]
