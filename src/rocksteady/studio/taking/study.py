"""A case as a study file, for ``rocksteady ensemble``."""

from pathlib import Path
from typing import Any

from rocksteady.bodies import System
from rocksteady.errors import InputError
from rocksteady.marks import sealed_mark
from rocksteady.motion.generate.pulse_text import pulse_call, pulse_text
from rocksteady.specs import CaseSpec, MotionSpec, StudySpec
from rocksteady.specs.as_python import beside, files_of
from rocksteady.specs.as_toml import lines, value
from rocksteady.specs.body import body_class
from rocksteady.specs.case import unit_of


def study_toml(case: CaseSpec, folder: Path) -> str:
    """The study of this one run, to be sealed. It has the same numbers; more bodies, motions and
    scales can be added. Files are expected beside it, by their names without folders."""
    study, others = study_of(case, folder)
    names = files_of(case)
    heading = [
        f"# {sealed_mark()}",
        "# One run of the studio. `rocksteady ensemble study.toml` repeats it;",
    ]
    heading.append("# `rocksteady ensemble --example` shows how to add bodies, motions and scales.")
    if names:
        heading.append(f"# It reads {', '.join(map(value, names))}: keep that in this folder.")
    if others:
        heading.append("# The other theories, one at a time in place of [formulation] below:")
        heading += [f"#   formulation = {value(_theory(case, i))}" for i in others]
    return "\n".join(heading) + "\n\n" + _written(study)


def study_of(case: CaseSpec, folder: Path) -> tuple[dict[str, Any], list[int]]:
    """What a `StudySpec` takes, with the first theory; and the numbers of the others."""
    if case.motion is None or case.start:
        what = "a start from a lean" if case.start else "free motion"
        raise InputError(
            f"A study shakes bodies that stand upright at rest, and this case has {what}: "
            "download the Python script instead."
        )
    body = case.body.build(folder)
    study: dict[str, Any] = {"systems": _systems(case, body)}
    if case.until != "rest":
        study["until"] = case.until
    study["motions"] = [_motion(case.motion, body)]
    if case.floor is not None:
        study["floor"] = case.floor.model_dump(exclude_none=True)
    if case.theories:
        study["formulation"] = _theory(case, 0)
    StudySpec.checked(study)
    return study, list(range(1, len(case.theories)))


def _theory(case: CaseSpec, number: int) -> dict[str, Any]:
    spec = case.theories[number]
    return {"name": spec.name, **spec.told}


def _systems(case: CaseSpec, body: System) -> dict[str, Any]:
    """The body by its parameters; one that has lists among them as a table would keep it."""
    spec = case.body
    given = {"kind": spec.type_name, **spec.told}
    if any(isinstance(one, list | tuple | dict) for one in given.values()):
        kept = {name: body.stored(name) for name in body.stored_names()}
        there = {name: one for name, one in kept.items() if one == one and one != ""}
        return {"kind": spec.type_name, **there}
    files = body_class(spec.kind).files
    return given | {n: beside(given[n]) for n in files if isinstance(given.get(n), str)}


def _motion(motion: MotionSpec, body: System) -> dict[str, Any]:
    """The source in units that do not depend on the body: a study may have many of them."""
    plain = motion.model_dump(mode="json", exclude_defaults=True)
    for name in ("file", "record"):
        if name in plain:
            plain[name] = beside(plain[name])
    if "like" in plain.get("stochastic", {}):
        plain["stochastic"]["like"] = beside(plain["stochastic"]["like"])
    rocker = unit_of(body)
    if rocker is not None and motion.pulse is not None:
        call = pulse_call(motion.pulse, p=rocker.p, alpha=rocker.alpha, g=rocker.g)
        plain["pulse"] = pulse_text(*call)
    return plain


def _written(study: dict[str, Any]) -> str:
    """Plain keys first, then a table for each part, as a person writes it."""
    tables = {n: v for n, v in study.items() if isinstance(v, dict)}
    own = {n: v for n, v in study.items() if n not in tables and n != "motions"}
    parts = [lines(own)] if own else []
    parts.append(f"[systems]\n{lines(tables.pop('systems'))}")
    parts += [f"[[motions]]\n{lines(source)}" for source in study["motions"]]
    parts += [f"[{name}]\n{lines(table)}" for name, table in tables.items()]
    return "\n".join(parts)
