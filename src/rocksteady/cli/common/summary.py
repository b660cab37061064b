"""A run in numbers: one dict of plain values, SI units and radians, ready for JSON."""

from __future__ import annotations

import dataclasses
import math
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from rocksteady import __version__

if TYPE_CHECKING:
    from rocksteady.motion import Motion
    from rocksteady.response import Response
    from rocksteady.systems import Block


def of_block(block: Block) -> dict[str, Any]:
    """Its sizes and everything that follows from them; of the weak side where it is asymmetric."""
    own = ("height", "width", "com_height", "offset", "mass", "inertia", "g")
    derived = ("alpha", "R", "p", "eta", "r")
    return {
        **{name: getattr(block, name) for name in own + derived},
        "b": block.weak_side.b,
        "alpha_left": block.left.alpha,
        "alpha_right": block.right.alpha,
        "uplift_acceleration": block.g * math.tan(block.alpha),
    }


def of_motion(motion: Motion, g: float) -> dict[str, Any]:
    """A record or pulse in numbers; ``g`` is the gravity [m/s²] that the pga…_g are in units of."""
    from rocksteady.motion.intensity import pgv

    return {
        "name": motion.name,
        "format": motion.meta.get("format"),
        "history": list(motion.meta.get("history", ())),
        "npts": motion.npts,
        "dt": motion.dt,
        "duration": motion.duration,
        "pga": motion.pga,
        "pga_g": motion.pga / g,
        "pgv": pgv(motion),
        "vertical": motion.vertical is not None,
        "transverse": motion.transverse is not None,
        **{
            f"pga_{role}_g": float(abs(accel).max()) / g
            for role, accel in motion.components.items()
            if role != "accel"
        },
    }


def of_run(response: Response, motion: Motion | None, files: list[Path]) -> dict[str, Any]:
    """Everything a machine may want to know of a run; ``motion`` as given, before its padding."""
    block, formulation = cast("Block", response.system), response.formulation
    options = dataclasses.asdict(formulation)  # type: ignore[call-overload]
    fell = response.fall
    return {
        "rocksteady": __version__,
        "block": of_block(block),
        "formulation": {"name": formulation.name, **options},
        "coordinate": response.coordinate._asdict(),
        "has_impacts": formulation.has_impacts,
        "keeps_at_impact": formulation.keeps_at_impact(block),
        "motion": None if motion is None else of_motion(motion, block.g),
        "theta0": float(response.states[0, 0]),
        "omega0": float(response.states[0, 1]),
        "status": str(response.status),
        "advice": response.status.advice,
        "peak": response.peak,
        "peak_angle": response.peak_angle,
        "time_of_peak": response.time_of_peak,
        "impacts": len(response.impacts),
        "duration": float(response.time[-1]),
        "fell_to": None if fell is None else fell.direction,
        "fell_at": None if fell is None else fell.time,
        "slide": response.slide,
        "energy": _energies(response),
        "files": [str(path) for path in files],
    }


def _energies(response: Response) -> dict[str, float]:
    """Energies [J]; the balance only where work and loss are kept."""
    about = {"largest": float(response.energy.max()), "final": float(response.energy[-1])}
    for name in ("work", "loss"):
        if response.has(name):
            about[name] = float(response.column(name)[-1])
    if "work" in about and "loss" in about:
        about["balance"] = float(abs(response.energy_balance).max())
    return about
