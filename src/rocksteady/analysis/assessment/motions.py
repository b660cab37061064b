"""The motions of an assessment: what identifies each of them, and the hash of all inputs."""

import hashlib
from collections.abc import Sequence
from typing import NamedTuple

from rocksteady.ensembles.digests import motion_digest
from rocksteady.motion import Motion
from rocksteady.motion.collection import distinct
from rocksteady.motion.units import GRAVITY_UNIT


class MotionRow(NamedTuple):
    """A motion as it was given, before scaling."""

    name: str
    pga: str
    """[g]"""
    pgv: str
    """[m/s]"""
    duration: str
    """[s]"""
    sha256: str
    """Of its samples and time step; see `rocksteady.ensembles.digests`."""


def motion_rows(motions: Sequence[Motion]) -> list[MotionRow]:
    """A row for each."""
    names = distinct(tuple(motion.name for motion in motions))
    return [
        MotionRow(
            name,
            f"{motion.pga / GRAVITY_UNIT:.3g}",
            f"{motion.pgv:.3g}",
            f"{motion.duration:.3g}",
            motion_digest(motion),
        )
        for name, motion in zip(names, motions, strict=True)
    ]


def file_digest(content: bytes) -> str:
    """SHA-256 of a file's content."""
    return hashlib.sha256(content).hexdigest()


def whole_digest(parts: Sequence[str]) -> str:
    """SHA-256 of all inputs, from the hashes of each and the version."""
    return hashlib.sha256("\n".join(parts).encode()).hexdigest()
