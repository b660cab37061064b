"""What a run of `JointDissipation` was computed with, in words and in numbers."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rocksteady.theories.dissipation.stones.model import cuts

if TYPE_CHECKING:
    from rocksteady.theories.dissipation.stones.formulation import JointDissipation
    from rocksteady.theories.dissipation.stones.joint_law import JointStep

IN_SHORT = "The time step sets the loss: a shorter one is another loss, not a smaller error."


def told(how: JointDissipation, response: Any) -> str:
    """The step, the loss that the law expects of it, and how often a step had to be cut."""
    ms = 1e3 * response.motion.dt
    stiff = f"{how.k_n:.3g}".replace("e+0", "e").replace("e+", "e")
    springs = f"Springs of {stiff} N/m³ in the joints, moved in steps of {ms:.3g} ms"
    return f"{springs}{_cut(response)}. {_loss(how, response)} {IN_SHORT}"


def _cut(response: Any) -> str:
    count = cuts(response.states)
    return f" (halved {count} times where the equations had no solution)" if count else ""


def _loss(how: JointDissipation, response: Any) -> str:
    """What impacts are expected to leave, of the joint with the shortest step first."""
    found = how.joint_steps(response.system)
    if not found:
        return "No stone rocks on a joint alone, so no law says what an impact loses."
    if not how.known_law().fits(how.rule):
        return f"No law says what an impact loses by the rule with {how.rule}."
    first = min(found, key=lambda joint: joint.dt)
    said = (
        f"The law of the time step expects an impact to leave r = {first.r_expected:.3f} of the "
        f"kinetic energy where {first.above} rocks on {first.below}{_elsewhere(first, found)}."
    )
    astray = sum(not joint.valid for joint in found)
    if not astray:
        return said
    if len(found) == 1:
        return f"{said} It was not fitted to such a block, so the loss is not known."
    which = "any of these blocks" if astray == len(found) else f"{astray} of {len(found)} joints"
    return f"{said} It was not fitted to {which}: there the loss is not known."


def _elsewhere(first: JointStep, found: tuple[JointStep, ...]) -> str:
    others = sorted(joint.r_expected for joint in found if joint is not first)
    if not others:
        return ""
    low, high = f"{others[0]:.3f}", f"{others[-1]:.3f}"
    return f", and {low if low == high else f'{low} to {high}'} on other joints"


def computed(how: JointDissipation, response: Any) -> dict[str, Any]:
    """The step [s], how often it was cut, and what the law says of each joint; ``r_expected`` is
    None where the law was fitted to another integration rule."""
    known = how.known_law().fits(how.rule)
    joints = [one._asdict() for one in how.joint_steps(response.system)]
    return {
        "time_step": response.motion.dt,
        "cuts": cuts(response.states),
        "joints": [one if known else one | {"r_expected": None} for one in joints],
    }
