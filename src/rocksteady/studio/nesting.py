"""How deep a JSON text is nested: encoders and decoders on the way give up at different depths."""

import re

import numpy as np

_STRINGS = re.compile(rb'"(?:[^"\\]|\\.)*+"', re.DOTALL)
_STEPS = bytes.maketrans(b"[{]}", b"\x01\x01\xff\xff")
_OTHERS = bytes(set(range(256)) - set(b"[{]}"))


def levels(text: bytes) -> int:
    """Lists and objects within each other at the deepest place. The text need not be valid."""
    steps = np.frombuffer(_STRINGS.sub(b"", text).translate(_STEPS, _OTHERS), np.int8)
    return int(np.cumsum(steps, dtype=np.int64).max(initial=0))
