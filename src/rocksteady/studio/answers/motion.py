"""A motion: its samples, and what engineers ask of it first."""

from pathlib import Path
from typing import Any

from rocksteady.motion import Motion
from rocksteady.motion.units import GRAVITY_UNIT
from rocksteady.specs import FloorSpec, MotionSpec
from rocksteady.studio.limits import check_floor, check_motion, check_source


def answer(folder: Path, request: dict[str, Any]) -> dict[str, Any]:
    """The motion of the ground, and of the floor where one is given."""
    source = MotionSpec.checked(request["motion"])
    check_source(source)
    ground = source.build(folder)
    check_motion(ground)
    if request.get("floor") is None:
        return {"ground": with_samples(ground), "felt": None}
    floor = FloorSpec.checked(request["floor"])
    check_floor(floor)
    return {"ground": with_samples(ground), "felt": with_samples(floor.build().motion(ground))}


def about_motion(motion: Motion) -> dict[str, Any]:
    """A motion in a few numbers: peaks in g and m/s, times in s."""
    return {
        "name": motion.name,
        "dt": motion.dt,
        "count": len(motion),
        "duration": motion.duration,
        "pga": motion.pga / GRAVITY_UNIT,
        "pgv": motion.pgv,
        "components": [name for name, values in motion.components.items() if values is not None],
    }


def with_samples(motion: Motion) -> dict[str, Any]:
    """The same, and the accelerations [m/s²]."""
    return {**about_motion(motion), "samples": dict(motion.components)}
