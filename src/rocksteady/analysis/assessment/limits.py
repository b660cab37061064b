"""Which of the limits of rocking models apply to an assessment, in words."""

import math
from collections.abc import Sequence

from rocksteady.bodies import Block
from rocksteady.motion import Motion
from rocksteady.motion.upwards import is_vertical
from rocksteady.theories import Formulation

STOCKY = 2.0  # h/b below which Housner's impact is no longer that of a slender body


def limits(
    block: Block,
    formulation: Formulation,
    *,
    motions: Sequence[Motion],
    left_out: bool,
    generated: bool,
    on_a_floor: bool,
    masonry: bool,
) -> list[str]:
    """Sentences, the general ones first.

    ``generated``: some motions are generated; ``left_out``: vertical components of records were
    left out.
    """
    told = [
        "Rocking is sensitive: a change of a thousandth may decide a single run. Only shares over "
        "many motions mean something, and those only as far as the motions suit the site.",
        "The body moves in one plane. Twisting, walking on corners and rolling on an edge are left "
        "out, and so is everything that the second horizontal component would do.",
        "The body does not break: no chipped edges, no crushed mortar. Where edges are rounded or "
        "mortar can crush, reduce the width accordingly.",
        "Nothing holds the body and nothing stands beside it: no tie, anchor, wall or neighbour.",
    ]
    if not any(label.startswith("slide") for label in formulation.columns(block)):
        told.append(
            "Friction is taken to be high enough that the body rocks and does not slide: above "
            f"tan α = {math.tan(block.alpha):.2g}."
        )
    if block.slenderness < STOCKY:
        told.append(
            f"The body is stocky (h/b = {block.slenderness:.2g}): its impacts lose more, and less "
            "regularly, than the theory of slender bodies says."
        )
    if on_a_floor:
        told.append(
            "The building stays elastic and does not feel the body. Masonry that is damaged has "
            "longer periods, by 50 to 100 %, and more damping."
        )
    if masonry:
        told.append(
            "A façade or parapet in front of other masonry rocks to one side only, and falls less "
            "often if the blow against that masonry takes energy; here it rocks to both. The "
            "thrust of a roof, and ties that are missing or break, are not computed and can be "
            "worse."
        )
    if generated:
        told.append(
            "Generated motions stand for earthquakes on firm ground away from the fault, not for "
            "this site. Records chosen for the site are better."
        )
    told.append(_vertical(motions, left_out))
    told.append(
        "The report computes; it does not decide which risk is acceptable or what the object is "
        "worth."
    )
    return told


def _vertical(motions: Sequence[Motion], left_out: bool) -> str:
    """What the runs know of the vertical shaking of the ground."""
    sideways = sum(map(is_vertical, motions))
    with_it = sum(motion.vertical is not None for motion in motions)
    if sideways:
        return (
            f"{sideways} of {len(motions)} motions are vertical components that are used as "
            "horizontal ones: the shares are not those of an earthquake."
        )
    if with_it:
        return (
            f"{with_it} of {len(motions)} motions have a vertical component, which is in the runs."
        )
    if left_out:
        return "The runs have no vertical component: those of the records were left out."
    return "The motions have no vertical component."
