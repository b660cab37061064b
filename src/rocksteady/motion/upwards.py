"""Recognise vertical components; warn of those used as horizontal ones, and of components that a
theory ignores."""

import re
from collections.abc import Sequence

from rocksteady.errors import warn
from rocksteady.motion.motion import Motion

_UPWARDS = re.compile(  # names in archives, and in tables in other languages
    r"[-+]?(?:up?|down|dwn|dn|u-?d\d?|up-?down|[bcehls][ghln]z|a?_?[vz]|vrt|ver\w*\.?|senkrecht)",
    re.IGNORECASE,
)


def is_vertical(motion: Motion) -> bool:
    """Whether it is a record of a vertical component, by the component's name in the file."""
    if motion.meta.get("direction") == "up":  # the column of a table, whatever its name
        return True
    return names_vertical(str(motion.meta.get("component", "")))


def names_vertical(component: str) -> bool:
    """Whether a component of this name is vertical."""
    return _UPWARDS.fullmatch(component) is not None


def warn_of_verticals(
    motions: Sequence[Motion], instead: str = "take a horizontal component"
) -> None:
    """Warn once about all that are vertical; ``instead`` says what to do."""
    up = [motion.name for motion in motions if is_vertical(motion)]
    if not up:
        return
    names = ", ".join(up[:3]) + (", …" if len(up) > 3 else "")
    some = names if len(motions) == 1 else f"{len(up)} of {len(motions)} records ({names})"
    one = "is a vertical component, used as a horizontal one"
    what = one if len(up) == 1 else "are vertical components, used as horizontal ones"
    warn(f"{some} {what} here: {instead}.", stacklevel=3)


def warn_of_ignored(motions: Sequence[Motion], theory: str, taken: Sequence[str]) -> None:
    """Warn once of components that motions have and a ``theory`` does not take; it takes those
    named in ``taken``."""
    others = [name for name in ("vertical", "transverse") if name not in taken]
    have = [[name for name in others if getattr(one, name) is not None] for one in motions]
    ignored = [name for name in others if any(name in names for names in have)]
    if not ignored:
        return
    which = " and the ".join(ignored)
    of = "component of the motion"
    if len(motions) > 1:  # without counts: all parts of one computation say the same
        of = f"component{'s' * (len(ignored) > 1)} of {'' if all(have) else 'some of '}the motions"
    warn(f"{theory} ignores the {which} {of}.", stacklevel=4)


def warn_of_left_out(verticals: Sequence[str]) -> None:
    """Warn once of vertical components that a search for horizontal ones left out."""
    if not verticals:
        return
    names = ", ".join(verticals[:3]) + (", …" if len(verticals) > 3 else "")
    s, are = (
        ("", "it is not a horizontal motion")
        if len(verticals) == 1
        else ("s", "they are not horizontal motions")
    )
    warn(f"{len(verticals)} vertical component{s} left out ({names}): {are}.", stacklevel=3)
