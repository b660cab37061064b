"""A response in words, as the headline of a figure or film has it."""

import re
import textwrap

import numpy as np

from rocksteady.outcome import IN_PLACE, SIDES
from rocksteady.response import Response

QUANTITY = re.compile(r"(?<=\d) (?=(?:mm|cm|m|ms|s|g|kg|t|rad)\b)")  # between number and unit


def describe(response: Response) -> str:
    """One sentence: what was shaken by what, and how it ended."""
    return f"{shaken(response)}: {response.outcome}"


def shaken(response: Response) -> str:
    """What was shaken by what."""
    name = " ".join(response.motion.name.split()) or "a ground motion"
    name = name if len(name) <= 48 else name[:47] + "…"
    if "floor" in response.motion.meta:
        name += f" on the {response.motion.meta['floor']}"
    freely = "rocking freely" if response.rocks else "moving freely"
    return f"{response.system.label} {f'under {name}' if response.motion.pga > 0 else freely}"


def wrapped(text: str, width: int = 88) -> str:
    """In lines of about the same length, none longer than ``width``; a number stays with its
    unit."""
    text = QUANTITY.sub("\u00a0", text)
    lines = textwrap.wrap(text, width)
    for narrower in range(len(text) // len(lines), width):
        balanced = textwrap.wrap(text, narrower)
        if len(balanced) == len(lines):
            lines = balanced
            break
    return "\n".join(lines).replace("\u00a0", " ")


def only_slides(response: Response) -> bool:
    """Whether it never lifts off, but moves."""
    return response.peak == 0 and bool(np.abs(response.slide_history).max() > IN_PLACE)


def direction(response: Response) -> str:
    """Where it fell: "to the right (+x)", or as the response says it; empty if it did not."""
    fall = response.fall
    return "" if fall is None else SIDES.get(fall.direction, fall.direction)
