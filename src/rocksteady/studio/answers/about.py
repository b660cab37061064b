"""What the studio can do: theories, bodies, presets."""

import inspect
from functools import lru_cache
from pathlib import Path
from typing import Any

from rocksteady.version import environment, version


def answer(folder: Path, request: dict[str, Any]) -> dict[str, Any]:
    from rocksteady.bodies.presets import PRESETS
    from rocksteady.specs import BodySpec, FloorSpec, MotionSpec
    from rocksteady.studio.asking.words import offered

    return {
        "version": version(),
        "environment": environment(),
        "theories": theories(),
        "bodies": _alternatives(BodySpec),
        "presets": {name: about_preset(preset) for name, preset in PRESETS.items()},
        "asking": offered(),
        "schemas": {
            "motion": MotionSpec.model_json_schema(),
            "floor": FloorSpec.model_json_schema(),
        },
    }


def about_preset(preset: Any) -> dict[str, Any]:
    """What an object is in words, the block it is [SI units], and the outline that is drawn."""
    values = preset.values({})
    return {
        "words": preset.words,
        **values,
        "outline": preset.outline(values["height"], values["width"]),
    }


def theories() -> list[dict[str, Any]]:
    """Each theory: its name, what it is in words, the bodies it moves and its parameters."""
    from rocksteady.registry import class_of
    from rocksteady.specs import TheorySpec
    from rocksteady.theories.registry import FORMULATIONS

    schemas = {one["title"]: one["properties"] for one in _alternatives(TheorySpec)}
    found = []
    for name in FORMULATIONS.names():
        kind: Any = class_of(FORMULATIONS.named(name))
        first = (inspect.getdoc(kind) or "").partition("\n\n")[0]
        own = schemas.get(name, {}).items()
        parameters = {n: _plain(about) for n, about in own if n != TheorySpec.key}
        found.append({
            "name": name,
            "title": titles()[name],
            "words": " ".join(first.split()),
            "bodies": [body.__name__ for body in kind.bodies],
            "parameters": parameters,
        })  # fmt: skip
    return found


@lru_cache
def titles() -> dict[str, str]:
    """What people call each theory, by its name in descriptions. Further forms of one theory are
    told apart by that name."""
    from rocksteady.registry import class_of
    from rocksteady.theories.registry import FORMULATIONS

    kinds: dict[str, Any] = {
        name: class_of(FORMULATIONS.named(name)) for name in FORMULATIONS.names()
    }
    plain = {name: getattr(kind, "title", "") or kind.name for name, kind in kinds.items()}
    first = {title: name for name, title in reversed(plain.items())}
    return {
        name: title if first[title] == name else f"{title} ({name})"
        for name, title in plain.items()
    }


def _plain(about: dict[str, Any]) -> dict[str, Any]:
    """A parameter with one type, not "number or null": what may be left out is left out. Of one
    that may also be a list, a number for each edge, ``each`` says so."""
    kinds: Any = about.get("type")
    if not isinstance(kinds, list):
        return about
    return {**about, "type": kinds[0]} | ({"each": True} if "array" in kinds else {})


def _alternatives(spec: Any) -> list[dict[str, Any]]:
    """What a description by name may be: a name and its parameters each."""
    return [one for one in spec.model_json_schema()["anyOf"] if "title" in one]
