"""Which theories there are, and which one a body moves by."""

from functools import cache
from typing import Any

from rocksteady.bodies import SYSTEMS, System
from rocksteady.errors import InputError, what_it_is, with_article
from rocksteady.registry import Registry, class_of
from rocksteady.theories.contract import Formulation

_HERE = "rocksteady.theories"
LONGEST = 80  # characters of a wrong argument that an error repeats
FORMULATIONS = Registry(
    "formulation",
    _HERE,  # the group of entry points in which other packages offer theirs
    f"{_HERE}.contract:Formulation",
    {
        "housner": f"{_HERE}.housner:Housner",
        "nonsmooth": f"{_HERE}.nonsmooth:Nonsmooth",
        "complex": f"{_HERE}.complex:ComplexPotential",
        "springs": f"{_HERE}.springs:RigidBodySpring",
        "dissipation": f"{_HERE}.dissipation:NumericalDissipation",
        "elastic": f"{_HERE}.dissipation:ELASTIC",
        "masonry": f"{_HERE}.masonry:Masonry",
        "spatial": f"{_HERE}.spatial:Spatial",
        "blocks": f"{_HERE}.assembly:BlockDynamics",
        "joints": f"{_HERE}.dissipation:JointDissipation",
    },
)
"""Every theory by its name on the command line; its class's name works, too."""


def theories_for(system: System) -> list[type[Formulation]]:
    """The classes of theories that can move this body, each once."""
    every = dict.fromkeys(class_of(found) for found in FORMULATIONS)
    return [kind for kind in every if isinstance(system, kind.bodies)]


def usual(system: System) -> Formulation:
    """The theory that a body moves by unless another is given."""
    kind: Any = type(system)
    return _usual_for(kind)()


@cache
def _usual_for(kind: Any) -> type[Formulation]:
    for theory in map(class_of, FORMULATIONS.ours_first()):  # imports none after the one it finds
        if issubclass(kind, getattr(theory, "usual_for", ())):
            found: type[Formulation] = theory
            return found
    raise InputError(
        f"There is no usual theory for a {kind.__name__}: give one, as formulation=..."
    )


def suitable(formulation: Any, system: Any) -> Formulation:
    """The formulation, or the usual one for this body; an error where they do not go together."""
    if not isinstance(system, System):
        raise InputError(
            f"{_shown(system)} is not a body: give "
            f"{' or '.join(map(with_article, SYSTEMS.names()))} first, then the motion."
        )
    if isinstance(formulation, type):
        name = formulation.__name__
        raise InputError(f"{name} is a class: did you mean {name}()?")
    if formulation is None:
        return usual(system)
    if not isinstance(formulation, Formulation):
        raise InputError(f"{formulation!r} is not a formulation: give one such as rs.Housner().")
    how: Formulation = formulation
    if not isinstance(system, how.bodies):
        able = " or ".join(with_article(body.__name__) for body in how.bodies)
        shadow = ", or its shadow in a plane, body.block(direction)" if system.spatial else ""
        raise InputError(
            f"{how.name} moves {able}, not {with_article(type(system).__name__)}: use "
            f"{usual(system).name} for that{shadow}."
        )
    return how


def _shown(thing: Any) -> str:
    """What is not a body: as it prints, or what it is where that would be long."""
    shown = repr(thing)
    return shown if len(shown) < LONGEST else what_it_is(thing)
