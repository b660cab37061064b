"""Short names for what is in arrays, texts and motions: equal if and only if the content is."""

import hashlib
import json
from typing import Any

import numpy as np

from rocksteady.motion import Motion


def digest(*parts: Any) -> str:
    """SHA-256 of arrays and texts."""
    total = hashlib.sha256()
    for part in parts:
        if isinstance(part, np.ndarray):
            total.update(f"{part.dtype.str}{part.shape}".encode())
            total.update(np.ascontiguousarray(part).tobytes())
        else:
            total.update(json.dumps(part, sort_keys=True, default=str).encode())
    return total.hexdigest()


def motion_digest(motion: Motion) -> str:
    """SHA-256 of a motion's samples and step; names do not count."""
    none = np.zeros(0)
    vertical = none if motion.vertical is None else np.asarray(motion.vertical) + 0.0
    others = [] if motion.transverse is None else [np.asarray(motion.transverse) + 0.0]
    return digest(np.asarray(motion.accel) + 0.0, vertical, np.array([motion.dt]), *others)
