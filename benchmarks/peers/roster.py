"""Who is compared, and who of them is here."""

from __future__ import annotations

from dataclasses import dataclass
from importlib import import_module, metadata
from typing import cast

from benchmarks.peers.history import Peer

FILES = ("ours", "scipy_ivp", "mujoco_", "pymunk_", "pybullet_", "drake", "opensees")
IMPORTS = {
    "openseespy": "openseespy.opensees",
    "drake": "pydrake.all",
    "compas_lmgc90": "compas_lmgc90.solver",
}


@dataclass(frozen=True)
class Present:
    peer: Peer
    version: str


@dataclass(frozen=True)
class Absent:
    name: str
    reason: str


def find(file: str) -> Present | Absent:
    """The peer of this file with its version, or why it cannot run here."""
    peer = cast("Peer", import_module(f"benchmarks.peers.{file}"))
    try:
        version = metadata.version(peer.PACKAGE)
    except metadata.PackageNotFoundError:
        return Absent(peer.NAME, f"{peer.PACKAGE} is not installed: make bench-peers installs it.")
    try:
        import_module(IMPORTS.get(peer.PACKAGE, peer.PACKAGE))
    except (ImportError, RuntimeError, OSError) as error:  # OpenSees without libblas: RuntimeError
        return Absent(peer.NAME, f"{peer.PACKAGE} {version} cannot be loaded: {error}")
    return Present(peer, version)
