"""From one run to many: a study file of the same body and theory, and the command that runs it."""

from __future__ import annotations

import dataclasses
import math
import shlex
from pathlib import Path
from typing import Any

import numpy as np

import rocksteady as rs
from rocksteady.errors import InputError
from rocksteady.specs import as_toml

MOTIONS, SEED = 100, 1
STRENGTHS = (0.25, 0.5, 0.75, 1.0, 1.25, 1.5, 2.0)  # of the run's peak acceleration
_UPWARDS = ", and a vertical one of 2/3"
FINE = 0.01  # s: time step of motions made here, unless the record has a finer one
_STUDY = """\
# One run shows one earthquake; this study shakes the same body by many. Run it with
#
#     rocksteady ensemble {file} -o {stem}.png
#
# Records that suit the site are better than generated motions: {records}
#
# {mark}

name = {name}
scales = {scales}   # peak acceleration of the ground [g]{limit}

[systems]              # SI units
{body}

[[motions]]
# {like}
stochastic = {stochastic}
pga = 1.0              # g: so the scales above are peak accelerations in g

[formulation]
{formulation}
{floor}
# [run]
# store = {store}      # to keep every run in a folder
"""

_FOLDER = """put them into a folder and write
# folder = "records"  instead of "stochastic"."""
_STATIONS = """put them into a folder and write
# records = "records"  instead of "stochastic": each station is read with all its components."""
_LIMIT = """
# Stronger ones are left out: beyond {most:.3g} g a vertical component would make the body
# weightless. With  components = 2  below, without vertical ones, the scales may go further."""
_TWO = """
# Without vertical components: beyond {most:.3g} g one of them would make the body weightless."""
_FLOOR = """
[floor]                # where the body stands: the motions and scales above are the ground's
{values}
"""


def write_study(
    response: rs.Response,
    path: Path,
    ground: rs.Motion | None = None,
    floor: rs.Floor | None = None,
) -> Path:
    """Write a study file: the body and theory of a run under motions like its own, at peak
    accelerations around its own. ``ground``: its motion before the ``floor`` changed it."""
    from rocksteady.digests import sealed
    from rocksteady.files import write_whole

    return write_whole(path, sealed(study_of(response, path, ground, floor).encode()))


def study_of(
    response: rs.Response,
    path: Path,
    ground: rs.Motion | None = None,
    floor: rs.Floor | None = None,
) -> str:
    """The text of such a study file, to be sealed and kept at ``path``."""
    from rocksteady.marks import sealed_mark
    from rocksteady.motion.units import GRAVITY_UNIT

    body: Any = response.system
    motion = ground or response.motion
    peak = motion.pga / GRAVITY_UNIT or math.tan(body.alpha)
    like, drawn = _like(motion, body.spatial)
    strengths, limit = [share * peak for share in STRENGTHS], ""
    most = _most(response, drawn)
    if most < peak:
        drawn["components"], like = 2, like.replace(_UPWARDS, "") + _TWO.format(most=most)
    elif most < strengths[-1]:
        strengths = [strength for strength in strengths if strength <= most]
        limit = _LIMIT.format(most=most)
    how = rs.specs.TheorySpec.of(response.formulation)
    pairs = ", ".join(f"{name} = {as_toml.value(value)}" for name, value in drawn.items())
    return _STUDY.format(
        mark=sealed_mark(),
        records=_STATIONS if body.spatial else _FOLDER,
        file=shlex.quote(str(path)),
        stem=shlex.quote(str(path.with_suffix(""))),
        name=as_toml.value(f"{body.label} under {MOTIONS} earthquakes"),
        scales=[float(f"{strength:.3g}") for strength in strengths],
        limit=limit,
        body=_lines(_described(body)),
        like=like,
        stochastic=f"{{ {pairs} }}",
        formulation=_lines({"name": how.type_name, **how.told}),
        floor="" if floor is None else _FLOOR.format(values=_lines(floor.described())),
        store=as_toml.value(path.stem),
    )


def _described(body: Any) -> dict[str, Any]:
    """The body as a study file has it: by its parameters, or as a table keeps it."""
    what = rs.specs.BodySpec.of(body)
    if not body.spatial:
        return {"kind": what.type_name, **what.told}
    kept = {name: body.stored(name) for name in body.stored_names()}
    there = {name: value for name, value in kept.items() if value == value and value != ""}
    return {"kind": what.type_name, **there}


def _like(motion: rs.Motion, in_space: bool) -> tuple[str, dict[str, float]]:
    """What the motions are like, in words, and as the study says it."""
    drawn: dict[str, float] = {"count": MOTIONS, "seed": SEED}
    if in_space:
        drawn["components"] = 3
    fitted = _fitted(motion)
    if fitted is None:
        return "Drawn like strong motions on firm ground (Rezaeian and Der Kiureghian).", drawn
    name = " ".join(motion.name.split()) or "the record"
    without = "" if motion.vertical is None else ", without its vertical component"
    if in_space:
        without = f": two horizontal components{_UPWARDS}"
    values = {name: float(f"{value:.4g}") for name, value in dataclasses.asdict(fitted).items()}
    return f"Like {name}{without}.", {**drawn, "dt": min(motion.dt, FINE), **values}


def _most(response: rs.Response, drawn: dict[str, float]) -> float:
    """The peak acceleration [g] up to which no vertical component of these motions makes the body
    weightless; inf where they have none or the theory follows a body into the air."""
    from rocksteady.analysis._levels import weightless

    body: Any = response.system
    if drawn.get("components") != 3:
        return math.inf
    try:
        response.formulation.check_vertical(body, np.array([-2 * body.g]))
    except InputError:
        spec = rs.specs.MotionSpec.model_validate({"stochastic": drawn, "pga": 1.0})
        return weightless([body], spec.motions().values())
    return math.inf


def _fitted(motion: rs.Motion) -> rs.stochastic.Parameters | None:
    """Parameters fitted to a record; none for a pulse, which has too few cycles."""
    if "format" not in motion.meta:
        return None
    try:
        return rs.stochastic.fit(motion)
    except InputError:
        return None


def _lines(values: dict[str, Any]) -> str:
    return as_toml.lines(values).rstrip("\n")


# -- what to type ---------------------------------------------------------------------------------


def commands(about: dict[str, Any], options: str) -> dict[str, str]:
    """A sentence and the line to type after a run of ``rocksteady simulate`` with these options;
    none where nothing shook it, or nothing lifted it off."""
    if about["motion"] is None or about["peak"] == 0 or about["status"] == "failed":
        return {}
    written = [path for path in about["files"] if path.endswith(".toml")]
    study = written[0] if written else "study.toml"
    figure = str(Path(study).with_suffix(".png"))
    lines = [f"rocksteady ensemble {shlex.quote(study)} -o {shlex.quote(figure)}"]
    if not written:
        lines.insert(0, f"rocksteady simulate {options} -o study.toml")
    return {
        f"How often does it fall? One run cannot tell; {MOTIONS} earthquakes can:": " && ".join(
            lines
        )
    }


def typed(*groups: Any) -> str:
    """The options of these groups that are not at their defaults, as they could be typed again."""
    words: list[str] = []
    for group in groups:
        for field in dataclasses.fields(group):
            value, name = getattr(group, field.name), f"--{field.name.replace('_', '-')}"
            if field.name in getattr(group, "bare", ()):
                words += [shlex.quote(str(value))] if value != field.default else []
            elif value != field.default:
                for one in value if isinstance(value, list) else [value]:
                    words += [name] if one is True else [name, shlex.quote(str(one))]
    return " ".join(words)
