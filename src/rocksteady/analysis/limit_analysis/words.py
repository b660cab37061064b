"""Limit loads in words."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rocksteady.analysis.limit_analysis.result import LimitLoad

FEW = 3  # names of stones that a sentence lists


def limit_words(result: LimitLoad) -> str:
    """What was found and what it means."""
    if not result.stands:
        return fall_words(result)
    if math.isinf(result.multiplier):
        return "It cannot fail: every multiple of the load is carried by the joints." + (
            "" if result.sliding else " Sliding was left out (sliding=False)."
        )
    of = "its weight" if result.live == "weight" else "the forces given"
    if result.range is not None:
        said = _estimate_words(result, *result.range, of)
    else:
        said = [f"It collapses at λ = {result.multiplier:.6g} times {of}: {result.mechanism}."]
        said.append(_rule_words(result))
    if len(result.link_forces):
        said.append("Links were taken to pull up to their strength, however far they stretch.")
    return " ".join(said)


def _rule_words(result: LimitLoad) -> str:
    """What friction the multiplier holds for."""
    if not result.sliding:
        return "Sliding was left out (sliding=False): an upper bound if joints can slide."
    if not result.sliding_joints:
        return "No joint slides, so this is the exact collapse load of rigid stones."
    return (
        "Joints slide in this mechanism: the value holds for associated friction (stones that "
        "slide also lift) and is an upper bound of the true one."
    )


def _estimate_words(result: LimitLoad, low: float, high: float, of: str) -> list[str]:
    """What the iteration without dilatancy found."""
    if not result.sliding_joints:
        return [
            f"It collapses at λ = {result.multiplier:.6g} times {of}: {result.mechanism}. No joint "
            "slides, so it does not matter whether sliding lifts."
        ]
    between = f"{low:.4g}" if f"{low:.4g}" == f"{high:.4g}" else f"{low:.4g} to {high:.4g}"
    said = [
        f"If stones slide without lifting, it collapses at about {between} times {of}, an "
        f"estimate by iteration: {result.mechanism}. With friction the collapse load is not "
        "unique: a dynamic push may find a lower one."
    ]
    if not result.settled:
        said.append("The iteration did not settle: take the lower value with care.")
    return said


def mechanism_words(result: LimitLoad) -> str:
    """Which stones move, about how many hinges, and which joints slide."""
    if not len(result.moving):
        return "nothing moves"
    hinges, slides = len(result.hinges), len(result.sliding_joints)
    parts = [f"{_stones(result)} move" if len(result.moving) != 1 else f"{_stones(result)} moves"]
    if hinges:
        parts.append("about a hinge" if hinges == 1 else f"about {hinges} hinges")
    if slides:
        joints = "1 joint slides" if slides == 1 else f"{slides} joints slide"
        parts.append(f"{'and' if hinges else 'while'} {joints}")
    return " ".join(parts)


def fall_words(result: LimitLoad) -> str:
    """Why an assembly does not stand under its own weight."""
    why = []
    if result.hinges:
        at = result.joints[result.hinges[0].joint]
        why.append(
            f"no thrust stays within the joint between {_name(result, at.a)} and "
            f"{_name(result, at.b)}; more thickness or another support is needed"
        )
    if result.sliding_joints:
        at = result.joints[result.sliding_joints[0]]
        why.append(
            f"friction (μ = {at.friction:g}) between {_name(result, at.a)} and "
            f"{_name(result, at.b)} is too small to hold them"
        )
    if not why:
        why.append("nothing below carries them")
    return (
        f"It does not stand under its own weight: {_stones(result)} "
        f"{'falls' if len(result.moving) == 1 else 'fall'}, because {'; and '.join(why)}."
    )


def _stones(result: LimitLoad) -> str:
    count = len(result.moving)
    if count > FEW:
        return f"{count} stones"
    return ", ".join(_name(result, int(i)) for i in result.moving)


def _name(result: LimitLoad, stone: int) -> str:
    return f"stone {result.assembly.stones[stone].name!r}"
