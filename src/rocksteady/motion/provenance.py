"""The processing history of a motion, as text from which it can be repeated.

Each processing step leaves one entry in ``meta["history"]``, such as ``bandpass(0.1,25,4)``. It is
the option ``--bandpass 0.1,25,4`` of ``rocksteady motion process``, and either form can be parsed
and applied to another motion. Numbers have all their digits, so the result is the same to the last
bit. Text after a ``#`` is a remark.
"""

import inspect
import re
import shlex
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

from rocksteady.errors import InputError
from rocksteady.motion._checks import exact
from rocksteady.motion.motion import Motion
from rocksteady.numerics.types import Array

Recipes: TypeAlias = Mapping[str, tuple[Callable[..., Any], tuple[Callable[[str], Any], ...]]]
"""For each step its function, and how to read each of its arguments from text."""

_ENTRY = re.compile(r"([a-z][a-z0-9_-]*)\(([^()]*)\)\s*(?:#.*)?", re.DOTALL)
# How Motion's own methods call what are steps here.
_METHODS = {
    "scaled": "scale",
    "stretched": "stretch",
    "resampled": "resample",
    "trimmed": "trim",
    "mirrored": "mirror",
}
_NOT_FROM_ONE_FILE = ("then(", "with_vertical(", "with_transverse(")


@dataclass(frozen=True)
class Step:
    """One processing step: its name and arguments, as text."""

    name: str
    arguments: tuple[str, ...] = ()

    def __str__(self) -> str:
        return f"{self.name}({','.join(self.arguments)})"

    def option(self) -> list[str]:
        """As two words of a command line; a step without arguments is one word."""
        values = ",".join(self.arguments)
        return [f"--{self.name}", values] if values else [f"--{self.name}"]


def step(name: str, *arguments: float | int | str | None) -> Step:
    """A step with its arguments written out; those that are None at the end are left out."""
    given = list(arguments)
    while given and given[-1] is None:
        given.pop()
    words = (value if isinstance(value, str) else exact(value or 0.0) for value in given)
    return Step(name, tuple(words))


def parse_entry(text: str) -> Step | None:
    """The step in an entry of a history, such as ``taper(cosine,1)``; None if it is none."""
    match = _ENTRY.fullmatch(text.strip())
    return Step(_METHODS.get(match[1], match[1]), _split(match[2])) if match else None


def parse_options(words: Sequence[str], names: Iterable[str]) -> tuple[Step, ...]:
    """The steps in options such as ``--baseline poly,2 --mirror``; ``names`` are those known."""
    known, found = tuple(names), list[Step]()
    rest = list(words)
    while rest:
        word, *rest = rest
        name, equals, value = word.removeprefix("--").partition("=")
        if not word.startswith("--") or name not in known:
            raise InputError(
                f"{word!r} is not a processing step: choose from "
                + ", ".join(f"--{name}" for name in known)
                + "."
            )
        if not equals and rest and not rest[0].startswith("--"):
            value, *rest = rest
        found.append(Step(name, _split(value)))
    return tuple(found)


def history(motion: Motion, names: Iterable[str]) -> tuple[Step, ...]:
    """The steps in a motion's history, except its origin (a file, a pulse)."""
    known, found = tuple(names), list[Step]()
    for entry in map(str, motion.meta.get("history", ())):
        one = parse_entry(entry)
        if one is not None and one.name in known:
            found.append(one)
        elif found or entry.startswith(_NOT_FROM_ONE_FILE):
            raise InputError(
                f"the history of {motion!r} has {entry!r}, which no command-line option can "
                "repeat: it needs more than one file."
            )
    return tuple(found)


def command_line(motion: Motion, files: Sequence[str], names: Iterable[str]) -> str:
    """The command that makes this motion from ``files`` again."""
    words = ["rocksteady", "motion", "process", *files]
    for one in history(motion, names):
        words += one.option()
    return shlex.join(words)


def bound(one: Step, motions: Sequence[Motion], recipes: Recipes) -> Any:
    """The step applied to ``motions``, with its arguments as numbers."""
    if one.name not in recipes:
        raise InputError(f"{one} is not a processing step: choose from {', '.join(recipes)}.")
    function, kinds = recipes[one.name]
    try:
        values = [kind(text) for kind, text in zip(kinds, one.arguments, strict=False)]
    except ValueError as error:
        raise InputError(f"{one}: {error}.") from error
    extra = one.arguments[len(kinds) :]
    try:
        inspect.signature(function).bind(*motions, *values, *extra)
    except TypeError as error:
        raise InputError(f"{one} has the wrong number of values: {error}.") from error
    return function(*motions, *values)


def each(motion: Motion, what: Step, change: Callable[[Array], Array]) -> Motion:
    """The motion with ``change`` applied to each component, and the step noted."""
    return noted(motion, what, motion.mapped(change))


def noted(motion: Motion, what: Step, outcome: Motion, remark: str = "") -> Motion:
    """``outcome`` with the name and meta of the ``motion`` it was made from, and the step noted."""
    entry = f"{what}  # {remark}" if remark else str(what)
    meta = {**motion.meta, "history": (*motion.meta.get("history", ()), entry)}
    made = outcome.accel, outcome.dt, outcome.vertical, outcome.transverse
    return Motion(*made, motion.name, meta)


def choice(name: str, value: str, allowed: Sequence[str]) -> None:
    """An error unless ``value`` is one of ``allowed``."""
    if value not in allowed:
        raise InputError(f"{name} = {value!r} is not allowed: choose from {', '.join(allowed)}.")


def _split(text: str) -> tuple[str, ...]:
    return tuple(part.strip() for part in text.split(",")) if text.strip() else ()
