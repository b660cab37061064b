"""Stones on springs with the loss at impacts set by the time step: `JointDissipation`."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

from numpy.typing import NDArray

from rocksteady.bodies import Assembly
from rocksteady.errors import InputError
from rocksteady.numerics.types import Array
from rocksteady.theories.assembly.poses import refuse_initial
from rocksteady.theories.dissipation.shared import (
    MOST_CUTS,
    STEPS_TO_IMPACT,
    TOLERANCE,
    Dissipative,
)
from rocksteady.theories.dissipation.stones import model, step, telling
from rocksteady.theories.dissipation.stones.joint_law import JointStep, joint_steps
from rocksteady.theories.dissipation.stones.workspace import Workspace

LOSS = "the time step sets the loss at impacts: give `r`, or a time step"
ENOUGH = 0.01  # s: the step where no joint has a block that the law was fitted to


@dataclass(frozen=True, kw_only=True)
class JointDissipation(Dissipative):
    """Rigid stones with unilateral springs in their joints; the time step of the implicit rule
    alone sets the loss at impacts: the paper's outlook, its method for one block joint by joint.

    The friction is that of the assembly. Stones rock, slide and lift off in the joints they have at
    the start; those that meet anew while they fall do not feel each other.

    Parameters
    ----------
    k_n
        Normal, and tangential, stiffness of every joint per area [N/m³].
    dt
        Time step [s]. If you leave it out: the shortest of the law's steps for the joints on which
        something rocks, see :meth:`joint_steps`. Motions are resampled to it.
    r
        Wanted ratio of kinetic energies after and before an impact, in (0, 1); Housner's for what
        stands on each joint if you leave it out. An alternative to ``dt``.
    spacing
        Distance of the springs along a joint [m], about; there are five at least on each face.
    alpha_hht
        α of the integration rule [-] (default: 1 − √2, the paper's).
    beta_hht, gamma_hht
        Its β and γ [-] (default: those of the family of its α).
    law
        The law of the time step, or its name (default: the one fitted to the rule), as for
        `NumericalDissipation`.
    """

    name = "JointDissipation"
    title = "Numerical dissipation in joints"
    bodies = (Assembly,)
    may_doubt = True
    compliant = True
    has_impacts = False
    cost = 20_000.0
    refusals = {
        "rule": "alpha_hht, beta_hht and gamma_hht are its rule",
        "step": "its time step is `dt`",
        "restitution": LOSS,
        "share": LOSS,
        "rubble": "stones that meet while they fall do not feel each other: a run ends with the "
        "first fall",
        "friction": "it is that of the assembly",
    }

    def joint_steps(self, assembly: Assembly) -> tuple[JointStep, ...]:
        """For each joint on which something rocks: the block that it is, the law's step for it [s],
        and the r to expect with the step of the run. All stones move by one step, so only one joint
        gets the r that is wanted."""
        return joint_steps(self, assembly)

    def time_step(self, assembly: Assembly) -> float:
        """The step [s]: as given, or the shortest of the law's for its joints."""
        found = joint_steps(self, assembly, advise=self.dt is None)
        if self.dt is None:
            return min((joint.dt for joint in found), default=ENOUGH)
        longest = min((math.acosh(2) / joint.p / STEPS_TO_IMPACT for joint in found), default=1.0)
        if self.dt > longest:
            raise InputError(
                f"dt = {self.dt:.4g} s is too long to resolve an impact of these stones: at most "
                f"{longest:.4g} s, which is {STEPS_TO_IMPACT} steps from half of the angle of "
                "balance to the first impact."
            )
        return self.dt

    def doubt(self, assembly: Assembly, states: Array) -> str | None:
        """A sentence where a run was hardly made with the step that sets its loss."""
        cuts, steps = model.cuts(states), len(states) - 1
        if cuts <= MOST_CUTS * steps:
            return None
        return (
            f"The step had to be halved {cuts} times in {steps} steps, since Newton's method did "
            "not converge: impacts then lose something else than the step asked for would. Give a "
            f"smaller dt or softer joints, k_n = {self.k_n:.3g} N/m³ now."
        )

    def told(self, response: Any) -> str:
        return telling.told(self, response)

    def computed(self, response: Any) -> dict[str, Any]:
        return telling.computed(self, response)

    # -- what the engine needs ------------------------------------------------------------------

    def columns(self, assembly: Assembly) -> tuple[str, ...]:
        return model.columns(assembly)

    def advance_for(self, assembly: Assembly) -> Any:
        return step.advance

    def parameters(self, assembly: Assembly) -> Workspace:
        return model.parameters(self, assembly, TOLERANCE)

    def start(self, assembly: Assembly, x0: float = 0.0, v0: float = 0.0) -> Any:
        refuse_initial(x0, v0)
        return model.start(self, assembly, TOLERANCE)

    def poses(self, assembly: Assembly, states: Array) -> Array:
        """x, y of the centre of mass [m] and rotation [rad] of every stone, fixed ones included:
        (..., stones, 3)."""
        return model.poses(assembly, states)

    def energy(self, assembly: Assembly, states: Array) -> Array:
        return model.energy(assembly, states)

    def displaced(self, assembly: Assembly, states: Array) -> Array:
        return states[..., step.DISPLACEMENT]

    def fallen(self, assembly: Assembly, time: Array, states: Array) -> list[tuple[str, float]]:
        return model.fallen(assembly, time, states)

    def at_rest(self, assembly: Assembly, states: Array) -> NDArray[Any]:
        return model.at_rest(states)

    def doomed(self, assembly: Assembly, state: Array) -> bool:
        return model.doomed(state)

    def aftermath(self, assembly: Assembly) -> float:
        return 60.0

    def laws_for(self, assembly: Assembly) -> str:
        return "rocksteady.analysis.auditing.joint_springs:laws"

    def keeps_at_impact(self, assembly: Assembly) -> str:
        return "what the time step leaves of it"
