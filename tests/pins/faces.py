"""The names that programs use: those of Python with their arguments, and the API of the studio."""

from __future__ import annotations

import contextlib
import importlib
import inspect
import json
import re
import tempfile
from collections.abc import Iterator
from enum import Enum
from pathlib import Path
from typing import Any

import rocksteady as rs
from rocksteady.version import version as our_version

ROOT = Path(__file__).parents[2]
ROOMS = ("motion", "bodies", "theories", "specs", "analysis", "view", "monitor", "reproduce")
WRITTEN = ("README.md", "docs/**/*.md", "examples/**/*.py", "notebooks/*.py")
USED = re.compile(r"\b(?:rs|rocksteady)((?:\.[A-Za-z]\w*)+)")
IMPORTED = re.compile(r"^\s*(?:>>> )?from (rocksteady[\w.]*) import ([\w, ]+)", re.MULTILINE)


# -- Python ----------------------------------------------------------------------------------------


def name_texts() -> dict[str, str]:
    """Every public name with its arguments and their defaults, by namespace; of classes also
    their attributes and methods."""
    spaces = {"rocksteady": rs} | {
        f"rocksteady.{room}": importlib.import_module(f"rocksteady.{room}") for room in ROOMS
    }
    found = {
        title: {n: getattr(space, n) for n in _public(space)} for title, space in spaces.items()
    }
    listed = {f"{title}.{name}" for title, names in found.items() for name in names}
    found["also named in README, docs, examples and notebooks"] = {
        path: thing for path, thing in sorted(dict(documented()).items()) if path not in listed
    }
    seen: dict[int, str] = {}
    texts = {}
    for title, names in found.items():
        lines: list[str] = []
        for name, thing in names.items():
            path = name if title.startswith("also") else f"{title}.{name}"
            place = seen.setdefault(id(thing), path)
            again = isinstance(thing, type) and place != path
            lines += [f"{name}: {place}, see above"] if again else _lines(name, thing)
        texts[title] = "\n".join(lines)
    return texts


def _public(space: Any) -> list[str]:
    """The names of a namespace; of its modules those alone that stand in the documentation."""
    names = getattr(space, "__all__", None) or [n for n in vars(space) if not n.startswith("_")]
    return sorted(n for n in names if not inspect.ismodule(getattr(space, n)))


def documented() -> Iterator[tuple[str, Any]]:
    """Every name that the documentation uses, and what has it."""
    text = "\n".join(
        path.read_text(encoding="utf-8")
        for pattern in WRITTEN for path in sorted(ROOT.glob(pattern))
    )  # fmt: skip
    for dotted in {found[1].strip(".") for found in USED.finditer(text)}:
        yield from _resolved("rocksteady", rs, dotted.split("."))
    for module, names in {(found[1], found[2]) for found in IMPORTED.finditer(text)}:
        space = importlib.import_module(module)
        for name in names.split(","):
            yield from _resolved(module, space, [name.strip()])


def _resolved(path: str, thing: Any, names: list[str]) -> Iterator[tuple[str, Any]]:
    """The thing at the end of a dotted name, as far as it goes through modules."""
    for name in names:
        path = f"{path}.{name}"
        if inspect.ismodule(thing) and not hasattr(thing, name):
            with contextlib.suppress(ImportError):  # a module that nothing has imported so far
                importlib.import_module(path)
        if not inspect.ismodule(thing) or not hasattr(thing, name):
            return
        thing = getattr(thing, name)
        yield path, thing


def _lines(name: str, thing: Any) -> Iterator[str]:
    if inspect.ismodule(thing):
        yield f"{name}: module"
    elif isinstance(thing, type) and issubclass(thing, Enum):
        yield f"{name}: {', '.join(f'{member.name} {member.value}' for member in thing)}"
    elif isinstance(thing, type):
        yield f"class {name}{_arguments(thing)}"
        for below in sorted({*dir(thing), *_fields(thing)}):
            if not below.startswith("_") and _ours(thing, below):
                yield f"    .{below}{_arguments(getattr(thing, below, None))}"
    elif callable(thing):
        yield f"{name}{_arguments(thing)}"
    else:
        yield f"{name}: {type(thing).__name__}"


def _fields(kind: type) -> list[str]:
    return list(getattr(kind, "__dataclass_fields__", getattr(kind, "_fields", ())))


def _ours(kind: type, name: str) -> bool:
    """Whether a class of ours defines an attribute, and not one of Python or pydantic."""
    owner = next((base for base in kind.__mro__ if name in vars(base)), kind)
    return owner.__module__.startswith("rocksteady")


def _arguments(thing: Any) -> str:
    """As in ``(block, *, r=None)``; empty for what cannot be called."""
    if not callable(thing):
        return ""
    try:
        signature = inspect.signature(thing)
    except (TypeError, ValueError):
        return "(...)"
    plain = [
        parameter.replace(annotation=inspect.Parameter.empty, default=_default(parameter.default))
        for parameter in signature.parameters.values()
    ]
    return str(inspect.Signature(plain))


class _Shown(str):
    __slots__ = ()
    __repr__ = str.__str__


def _default(value: Any) -> Any:
    """A default as it prints everywhere: a function by its name, without an address."""
    if isinstance(value, Enum):
        return _Shown(f"{type(value).__name__}.{value.name}")
    if value is inspect.Parameter.empty or isinstance(value, int | float | str | None):
        return value
    if callable(value):
        return _Shown(getattr(value, "__name__", type(value).__name__))
    return _Shown(re.sub(r" at 0x\w+", "", repr(value)))


# -- the studio ------------------------------------------------------------------------------------


def api_texts() -> dict[str, str]:
    """The description of the studio's API (OpenAPI), an entry per address and per schema."""
    from rocksteady.studio.app import create_app
    from rocksteady.studio.settings import Settings

    with tempfile.TemporaryDirectory() as place:
        described = create_app(Settings(Path(place))).openapi()
    described["info"]["version"] = "..." if described["info"]["version"] == our_version() else ""
    schemas = described.get("components", {}).pop("schemas", {})
    addresses = described.pop("paths")
    parts = {
        "the document": described,
        **addresses,
        **{f"schema {k}": v for k, v in schemas.items()},
    }
    return {title: _compact(part) for title, part in parts.items()}


def _compact(value: Any, margin: str = "") -> str:
    """JSON with a line for each key and the rest of an entry in one line where it is short."""
    whole = json.dumps(value, ensure_ascii=False)
    if len(whole) + len(margin) <= 100 or not isinstance(value, dict | list) or not value:
        return whole
    inner = margin + " "
    if isinstance(value, dict):
        lines = [f"{inner}{json.dumps(k)}: {_compact(v, inner)}" for k, v in value.items()]
        return "{\n" + ",\n".join(lines) + f"\n{margin}}}"
    return "[\n" + ",\n".join(f"{inner}{_compact(v, inner)}" for v in value) + f"\n{margin}]"
