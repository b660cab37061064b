"""What is typed after `rocksteady masonry`: numbers, histories, scenarios."""

from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import rocksteady as rs
from rocksteady.cli.common.records import OR_A_PULSE, converted_first, read_file, warn_if_vertical
from rocksteady.errors import InputError

Value = TypeVar("Value")


def named(
    texts: list[str] | None, option: str, read: Callable[[str, str], Value]
) -> dict[str, Value]:
    """The values in NAME=VALUE, by name; ``read`` takes one, and what an error is to call it."""
    found = {}
    for text in texts or ():
        name, mark, value = text.partition("=")
        if not mark:
            raise InputError(f"{option} {text} is not understood: write NAME=VALUE.")
        name = name.strip().replace("-", "_")
        found[name] = read(value, f"{option} {name}")
    return found


def number(text: str, what: str) -> float:
    try:
        return float(text)
    except ValueError:
        raise InputError(f"{what}: {text!r} is no number.") from None


def limits(**texts: str | None) -> dict[str, Any]:
    """The limits of the damage states that were given: wear="0.01,0.05,0.2,0.5"."""
    return {
        name: tuple(number(part, f"--{name}-limits") for part in text.split(","))
        for name, text in texts.items()
        if text is not None
    }


def bounds(text: str, what: str) -> tuple[float, float]:
    low, mark, high = text.partition(":")
    if not mark:
        raise InputError(f"{what}={text} is not understood: write LOW:HIGH.")
    return number(low, what), number(high, what)


def history(to: str, points: int) -> Any:
    import numpy as np

    targets = [1e-3 * number(text, "--to") for text in to.split(",")]
    parts, last = [np.zeros(1)], 0.0
    for target in targets:
        parts.append(np.linspace(last, target, points + 1)[1:])
        last = target
    return np.concatenate(parts)


def scenario(text: str, *, warns: bool = True) -> "tuple[str, rs.Motion]":
    """Name and motion of [NAME=]FILE or [NAME=]pulse:…; ``warns``: of a vertical component."""
    name, mark, source = text.partition("=")
    if not mark or ":" in name or Path(text).exists():
        name, source = "", text
    if source.startswith("pulse:"):
        return name or source, rs.motion.parse_pulse(source)
    with converted_first(source):
        motion = read_file(source, also=OR_A_PULSE)
    if isinstance(motion, dict):
        raise InputError(
            f"{source} has several components, {', '.join(motion)}: save one of them as a file, "
            f"with rocksteady motion convert {source}."
        )
    if warns:
        warn_if_vertical(motion)
    return name or motion.name or Path(source).stem, motion
