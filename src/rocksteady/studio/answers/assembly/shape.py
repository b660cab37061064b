"""What an assembly is, and how it is drawn."""

from pathlib import Path
from typing import Any

from rocksteady.bodies.assembly import Assembly
from rocksteady.bodies.system import expect
from rocksteady.errors import InputError
from rocksteady.specs import BodySpec
from rocksteady.studio.limits import ELSEWHERE, QUICK_JOINTS, STONES
from rocksteady.theories.assembly.formulation import joint_count
from rocksteady.theories.registry import usual

COUNTS = ("count", "voussoirs", "rows", "columns", "courses")
"""Parameters of structures that say how many stones there are."""
MANY = 1e9  # a larger number is read more easily with an exponent


def answer(folder: Path, request: dict[str, Any]) -> dict[str, Any]:
    """The stones, and what follows from them."""
    return about(built(BodySpec.checked(request), folder))


def built(spec: BodySpec, folder: Path) -> Assembly:
    """The assembly of a description; an error if it is none, or too large for the page."""
    refuse_many(spec.values)
    assembly = expect(spec.build(folder), Assembly, "This", ": only stones are drawn here")
    check_stones(assembly)
    return assembly


def refuse_many(values: dict[str, Any]) -> None:
    """Refuse more stones than the studio takes before they are made."""
    product = 1.0
    for name in COUNTS:
        value = values.get(name, 1)
        if isinstance(value, (int, float)) and value > 1:
            product *= value
    if product > STONES:
        raise _too_many(f"{product:.0f}" if product < MANY else f"More than {MANY:.0e}")


def check_stones(assembly: Assembly) -> None:
    """Refuse more stones than the studio takes."""
    if assembly.stone_count > STONES:
        raise _too_many(str(assembly.stone_count))


def _too_many(count: str) -> InputError:
    return InputError(
        f"{count} stones are too many here: at most {STONES} are drawn and computed. Take a part "
        f"of it. {ELSEWHERE}"
    )


def about(assembly: Assembly) -> dict[str, Any]:
    """In numbers [SI units], with the outlines of its stones."""
    theory: Any = usual(assembly)
    return {
        "label": assembly.label,
        "stones": outlines(assembly),
        "count": assembly.stone_count,
        "joints": joint_count(assembly),
        "mass": assembly.total_mass,
        "length": assembly.total_length,
        "height": assembly.total_height,
        "friction": assembly.friction,
        "rule": theory.rule_for(assembly),
        "quick": is_quick(assembly),
    }


def is_quick(assembly: Assembly) -> bool:
    """Whether a run of it is answered at once."""
    return joint_count(assembly) <= QUICK_JOINTS


def outlines(assembly: Assembly) -> list[dict[str, Any]]:
    """Each stone as it stands at the start: the corners of its parts and its centre of mass [m]."""
    return [
        {"name": one.name, "fixed": one.fixed, "centre": one.centre, "parts": one.parts}
        for one in assembly.stones
    ]
