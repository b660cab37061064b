"""What an uploaded file is, and how a description names it."""

import re
from pathlib import Path
from typing import Any

from rocksteady.errors import InputError, MotionFormatError, held_back
from rocksteady.motion import Motion, read_motion
from rocksteady.motion.record import read_record
from rocksteady.motion.units import ACCELERATIONS, GRAVITY_UNIT
from rocksteady.specs import BodySpec
from rocksteady.studio.answers.assembly.upload import is_drawing, stones
from rocksteady.studio.answers.body import about_body
from rocksteady.studio.uploads import is_scan

OPTIONS = ("dt", "unit", "decimal", "sensitivity", "differentiate", "any_peak")
"""What a reader may ask for; an error names it as in "dt=0.01"."""
MOST_COMPONENTS = 200


def answer(folder: Path, request: dict[str, Any]) -> dict[str, Any]:
    """What the page needs to use a file: the description of a motion or of a body, what is still to
    be asked of the person who sent it, and what is uncertain."""
    path = request["path"]
    with held_back() as doubts:
        if is_scan(path):
            found = _scan(folder, path)
        elif is_drawing(folder / path):
            found = stones(folder, path)
        else:
            found = _record(folder, path)
    return {"path": path, "name": Path(path).name, "asks": {}, **found, "warnings": doubts}


UPS = ["x", "y", "z", "-x", "-y", "-z", "rest"]


# -- 3D scans --------------------------------------------------------------------------------------


def _scan(folder: Path, path: str) -> dict[str, Any]:
    spec = {"kind": "Body", "mesh": path}
    body = BodySpec.checked(spec).build(folder)
    about = about_body(body)
    values = about.get("space", {})
    return {
        "kind": "scan",
        "body": spec,
        "about": {name: values.get(name) for name in ("height", "mass", "centre", "base")},
        "options": {"unit": ["m", "cm", "mm", "in", "ft"], "up": UPS},
    }


# -- records ---------------------------------------------------------------------------------------


def _record(folder: Path, path: str) -> dict[str, Any]:
    file = folder / path
    try:
        found = read_motion(file)
    except MotionFormatError as error:
        asks = asked_for(str(error))
        if not asks:
            raise
        return {"kind": "record", "motion": {"record": path}, "asks": asks, "words": str(error)}
    several = isinstance(found, dict) or sum(1 for _ in file.parent.iterdir()) > 1
    if several:
        try:
            joined = read_record(file)
        except InputError:
            pass
        else:
            return {"kind": "record", "motion": {"record": path}, "about": about(joined)}
    if isinstance(found, Motion):
        return {"kind": "record", "motion": {"file": path}, "about": about(found)}
    names = list(found)[:MOST_COMPONENTS]
    return {
        "kind": "record",
        "motion": {"file": path, "component": names[0]},
        "asks": {"component": names},
        "about": about(found[names[0]]),
        "words": f"The file has {len(found)} components: choose one.",
    }


def asked_for(text: str) -> dict[str, Any]:
    """What an error of a reader asks for, and what may be answered; empty if it asks nothing."""
    choices: dict[str, Any] = {
        "unit": list(ACCELERATIONS),
        "decimal": ["comma", "point"],
        "differentiate": [True],
        "any_peak": [True],
    }
    if "leave it out" in text:
        return {}
    names = [name for name in OPTIONS if re.search(rf"\b{name}=", text)]
    return {name: choices.get(name) for name in names}


def about(motion: Motion) -> dict[str, Any]:
    """Peaks in g, times in s, and which components there are."""
    parts = {"accel": motion.meta.get("component")}
    if motion.transverse is not None:
        parts["transverse"] = motion.meta.get("transverse_component")
    if motion.vertical is not None:
        parts["vertical"] = motion.meta.get("vertical_component")
    return {
        "name": motion.name,
        "dt": motion.dt,
        "n": len(motion),
        "duration": motion.duration,
        "pga": motion.pga / GRAVITY_UNIT,
        "components": parts,
        "format": motion.meta.get("format"),
        "files": motion.meta.get("files"),
    }
