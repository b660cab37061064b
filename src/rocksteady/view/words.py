"""A response in words, as the headline of a figure or film has it."""

import re
import textwrap

import numpy as np

from rocksteady.response import Response
from rocksteady.status import Status

VISIBLE_SLIDE = 1e-4  # m
QUANTITY = re.compile(r"(?<=\d) (?=(?:mm|cm|m|ms|s|g|kg|t|rad)\b)")  # between number and unit


def describe(response: Response) -> str:
    """One sentence: what was shaken by what, and how it ended."""
    return f"{shaken(response)}: {outcome(response)}"


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


def slid(response: Response) -> bool:
    """Whether its base has moved on the ground so far that one could see it."""
    return bool(np.abs(response.slide_history).max() >= VISIBLE_SLIDE)


def only_slides(response: Response) -> bool:
    """Whether it never lifts off, but moves."""
    return response.peak == 0 and slid(response)


def outcome(response: Response) -> str:
    """How it ended, with the numbers that matter."""
    end = response.time[-1]
    impacts = f", {counted(len(response.impacts))}" if response.formulation.has_impacts else ""
    fell = response.fall
    if fell is not None and not response.rocks:
        return f"{response.status} at {fell.time:.3g} s"
    if fell is not None:
        return f"overturns {direction(response)}{fell.when}{impacts}"
    if response.status is Status.FAILED:
        return f"no answer beyond {end:.3g} s"
    verdict = "stands" if response.status is Status.AT_REST else f"still moving at {end:.3g} s"
    slide = 0.0 if response.system.spatial else response.slide  # in space not to a side
    away = f", slides {slide_in_words(slide)}" if abs(slide) >= VISIBLE_SLIDE else ""
    if response.peak == 0:
        return f"{verdict}{away or (', does not uplift' if response.rocks else ', does not move')}"
    what = response.coordinate
    value = f"{response.peak:.3g}" if what.over else f"{response.peak:.3g} {what.unit}"
    size = what.size if what.over else what.name
    return f"{verdict}, peak {size} = {value}{impacts if response.rocks else ''}{away}"


def slide_in_words(slide: float) -> str:
    """How far, and which way."""
    size = f"{abs(slide):.3g} m" if abs(slide) >= 1 else f"{1000 * abs(slide):.3g} mm"
    return f"{size} to the {'right' if slide > 0 else 'left'}"


def counted(impacts: int) -> str:
    """So many impacts, in words."""
    return "1 impact" if impacts == 1 else f"{impacts} impacts"


SIDES = {"right": "to the right (+x)", "left": "to the left (−x)"}


def direction(response: Response) -> str:
    """Where it fell: "to the right (+x)", or as the response says it; empty if it did not."""
    fall = response.fall
    return "" if fall is None else SIDES.get(fall.direction, fall.direction)
