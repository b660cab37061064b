"""A body from a 3D scan: what it encloses, how it stands, and what is doubtful about that."""

from rocksteady.systems.meshes.scan import Scan, scanned

__all__ = ["Scan", "scanned"]
