"""Array types, for annotations."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Numbers = tuple[float, ...]
Array = NDArray[np.float64]
