"""What a job is about, in words that the person who asked recognises: object and question."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import PurePath
from typing import Any

Plain = Mapping[str, Any]
LONGEST = 120  # characters


def title_of(kind: str, request: Plain) -> str:
    """Such as "Statue, 1.8 × 0.5 m: overturning map, sine pulse"; empty for an unknown kind."""
    question = _QUESTIONS.get(kind)
    if question is None:
        return ""
    case = request.get("case") or request
    thing = _asked(case) if kind == "ask" else _object(case.get("body"))
    return f"{thing}: {question(request)}"[:LONGEST]


def _asked(request: Plain) -> str:
    """An object of the questions in plain words: its name, or what it is."""
    what = str(request["what"]).capitalize().replace("_", " ")
    held = f" ({request['fixing']})" if request.get("fixing") else ""
    name = str(request.get("name") or "").strip() or what
    return _with_sizes(f"{name}{held}", request)


def _object(body: Plain | None) -> str:
    """A body by its preset, its scan or its kind, and its sizes."""
    if body is None:
        return "Blocks of one slenderness"
    if isinstance(mesh := body.get("mesh"), str):
        return _with_sizes(PurePath(mesh).stem or "Scan", body)
    kind = str(body.get("preset") or body.get("name") or _KINDS.get(body.get("kind"), "Object"))
    if "outline" in body:
        kind = "Traced outline"
    return _with_sizes((kind[:1].upper() + kind[1:]).replace("_", " "), body)


def _with_sizes(name: str, values: Plain) -> str:
    given = [(mark, values.get(key)) for mark, key in _SIZES]
    sizes = [f"{mark}{float(size):.4g}" for mark, size in given if isinstance(size, int | float)]
    if sizes:
        return f"{name}, {' × '.join(sizes)} m"
    mass = values.get("mass")
    return f"{name}, {float(mass) / 1e3:.4g} t" if isinstance(mass, int | float) else name


def _shaking(request: Plain) -> str:
    """By what it is shaken: a pulse, the one motion, or how many."""
    if request.get("pulse"):
        return f"{request['pulse']} pulse"
    sources = request.get("motions") or []
    count = sum((source.get("stochastic") or {}).get("count", 1) for source in sources)
    return f"{count} motions" if count > 1 else _motion(sources[0]) if sources else "no motion"


def _motion(source: Plain | None) -> str:
    """One source of motions."""
    if not source:
        return "let go"
    if source.get("name"):
        return str(source["name"])
    if source.get("pulse"):
        return f"{str(source['pulse']).partition(',')[0]} pulse"
    found = next((source[key] for key in ("file", "record", "folder") if source.get(key)), None)
    return "a generated earthquake" if found is None else PurePath(str(found)).stem


_SIZES = (("", "height"), ("", "width"), ("", "base_x"), ("", "base_y"), ("⌀", "diameter"))
_KINDS: Mapping[Any, str] = {
    "Block": "Block",
    "Body": "Body",
    "FlexibleOscillator": "Flexible oscillator",
    "MasonryBuilding": "Masonry building",
    "Assembly": "Stones",
}
_QUESTIONS: dict[str, Callable[[Plain], str]] = {
    "map": lambda asked: f"overturning map, {_shaking(asked)}",
    "fragility": lambda asked: f"fragility, {_shaking(asked)}",
    "spectrum": lambda asked: f"rocking spectrum, {_shaking(asked)}",
    "theories": lambda asked: f"{len(asked['theories'])} theories, {_shaking(asked)}",
    "ask": lambda asked: "how likely it is to fall",
    "assembly": lambda asked: f"shaken, {_motion(asked['case'].get('motion'))}",
    "film": lambda asked: f"film, {_motion(asked['case'].get('motion'))}",
}
"""What each kind of job asks."""
