"""Assemblies of rigid stones as the engine sees them."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rocksteady.bodies import Assembly
from rocksteady.bodies.assembly.joints import joints
from rocksteady.errors import InputError
from rocksteady.numbers import keep_floats, positive, real
from rocksteady.numerics.types import Array
from rocksteady.theories.assembly.falls import first_falls
from rocksteady.theories.assembly.link_energy import link_energy
from rocksteady.theories.assembly.located import located
from rocksteady.theories.assembly.poses import all_poses, refuse_initial
from rocksteady.theories.assembly.state import (
    DISPLACEMENT,
    DOUBTFUL,
    FALLEN,
    HEAD,
    QUIET,
    RESIDUAL,
    SIZE,
    SOLVES,
    UNCONVERGED,
    step_within,
)
from rocksteady.theories.assembly.stepped import stepped
from rocksteady.theories.assembly.workspace import (
    ABYSS,
    BLOCK,
    CALM,
    CLOSED,
    CREEP,
    GRAVITY,
    MARGIN,
    PART,
    RESTITUTION,
    RETRY,
    RUBBLE,
    SAME,
    SHARE,
    SLOW,
    STEP,
    STEPS,
    SWEEPS,
    Workspace,
    workspace,
)
from rocksteady.theories.contract import Formulation, Quantity

RULES = {"located": located, "stepped": stepped}
TIME_STEP = {"located": 0.005, "stepped": 0.001}  # s
MOST_SWEEPS = {"located": 8000, "stepped": 300}
FIRST_SWEEPS = {"located": 15, "stepped": 100}
RETRIES = {"located": 0, "stepped": 10}
NEWTON_STEPS = {"located": 25, "stepped": 20}  # 12 leave a wall at rest unsolved
MOST_JOINTS = 24  # with more the located rule spends its time on tiny impacts
FARTHEST = 1e5  # times the reach of the smallest stone
SMALL = 0.1  # m: with a stone of less reach the usual step shrinks
TOUCHING = 1e-9  # m, of stones that reach 1 m, as all that follows; see `scale`
ALIKE = 1e-7  # m
PUSH_OUT = 0.02  # m/s
CREEP_BACK = 1e-4  # m/s
CALM_AFTER = 0.02  # s without motion
AT_REST = 0.5  # s without motion


UNKNOWN_STEP = (
    "The residual says nothing about the error of the time step: rs.analysis.step_error(response) "
    "bounds that."
)


@dataclass(frozen=True, kw_only=True)
class BlockDynamics(Formulation):
    """Rigid stones that touch, stick, slide, rock and strike, without any stiffness or damping.

    Parameters
    ----------
    rule
        ``"located"``: second order, impacts, slips and lift-off found in time, for columns, frames
        and small arches.
        ``"stepped"``: the rule of Moreau and Jean, first order, for walls. ``"auto"``: by the
        number of joints.
    step
        Longest time step [s]. If you leave it out: 5 ms located, 1 ms stepped, and less where a
        stone reaches less than 0.1 m, by the root of its size.
    restitution
        Newton's coefficient ε of ends that strike, in [0, 1]. Above 0 stones hop.
    share
        Share κ of the landing corner's impulse that the other corner of the same joint takes, in
        [0, 1): 0 gives Housner's loss, more a smaller one. A block of 2b × 2h keeps
        η of its rate with κ = (b − c)/(b + c), bc = (1 − η)/(1 + η) (I/m + h²).
    rubble
        Whether a run goes on once a stone has fallen, until the rubble rests.
    """

    name = "BlockDynamics"
    title = "Assembly of rigid blocks"
    bodies = (Assembly,)
    usual_for = (Assembly,)
    may_doubt = True
    not_halved = ""
    cost = 20_000.0
    kept = {
        "fallen": Quantity("float64", "1", "stones that have fallen", "fallen"),
        "turn": Quantity("float64", "rad", "largest rotation at the end", "turn"),
        "residual": Quantity("float64", "1", "worst residual of all solves over g h", "residual"),
        "unconverged": Quantity(
            "float64", "1", "solves with a residual above 1e-4 g h", "unconverged"
        ),
    }

    refusals = {
        "r": "what an impact loses follows from its `share`, 0 for Housner's loss",
        "k_n": "its stones touch without springs; the formulation joints has springs",
    }

    rule: str = "auto"
    step: float | None = None
    restitution: float = 0.0
    share: float = 0.0
    rubble: bool = False

    def __post_init__(self) -> None:
        if self.rule not in ("auto", *RULES):
            raise InputError(
                f"rule = {self.rule!r} is not known: choose 'auto', 'located' or 'stepped'."
            )
        if self.step is not None:
            positive("step", self.step, "s", "5 ms is usual for columns, 1 ms for walls.")
        if not 0 <= real(self.restitution) <= 1:
            raise InputError(
                f"restitution = {self.restitution!r} is not allowed: it must lie in [0, 1]. "
                "0 gives Housner's loss at an impact."
            )
        if not 0 <= real(self.share) < 1:
            raise InputError(
                f"share = {self.share!r} is not allowed: it must lie in [0, 1). 0 gives Housner's "
                "loss at an impact, more a smaller one."
            )
        if not isinstance(self.rubble, bool):
            raise InputError(
                f"rubble = {self.rubble!r} is not allowed: give True to follow a collapse until "
                "the rubble rests, or False."
            )
        keep_floats(self, "step", "restitution", "share")

    # -- which rule ---------------------------------------------------------------------------

    def rule_for(self, assembly: Assembly) -> str:
        """``"located"`` or ``"stepped"``."""
        if self.rule != "auto":
            return self.rule
        return "located" if joint_count(assembly) <= MOST_JOINTS else "stepped"

    def step_for(self, assembly: Assembly) -> float:
        """Longest time step [s], short enough for the stiffest link."""
        small = min(1.0, smallest(assembly) / SMALL)
        usual = TIME_STEP[self.rule_for(assembly)] * math.sqrt(small)
        step = self.step or usual
        return min([step, *(0.1 * period for period in _link_periods(assembly))])

    def step_of(self, response: Any) -> float:
        """Time step of a run [s]: an interval between samples is cut into equal ones."""
        longest = self.step_for(response.system)
        return float(step_within(response.motion.dt, longest))

    def told(self, response: Any, of_step: str = UNKNOWN_STEP) -> str:
        """Which rule ran, its worst residual, and what that means. ``of_step``: what is known of
        the error of the time step, of which the residual says nothing."""
        assembly, last = response.system, response.states[-1]
        rule, step = self.rule_for(assembly), 1e3 * self.step_of(response)
        how = (
            f"Impacts and slips were located in time (steps of {step:.3g} ms, second order)"
            if rule == "located"
            else f"Moreau and Jean's rule in steps of {step:.3g} ms (first order, impacts up to a "
            "step late)"
        )
        worst, bad, solves = last[RESIDUAL], int(last[UNCONVERGED]), int(last[SOLVES])
        if not bad:
            said = f"every contact problem was solved, worst residual {worst:.1e} g h."
            return f"{how}; {said} {of_step}"
        return (
            f"{how}; {bad} of {solves} contact problems were left with a residual above "
            f"{DOUBTFUL:g} g h, the worst with {worst:.1e} g h: there a joint may slip or part by "
            f"that share of what gravity does in one step. {_advice(rule)} {of_step}"
        )

    def computed(self, response: Any) -> dict[str, Any]:
        """Which rule ran, the worst residual of its contact problems over g h, and how many of them
        were left with one above 1e-4."""
        last = response.states[-1]
        return {
            "rule": self.rule_for(response.system),
            "residual": float(last[RESIDUAL]),
            "unconverged": int(last[UNCONVERGED]),
            "solves": int(last[SOLVES]),
        }

    # -- what the engine needs ------------------------------------------------------------------

    def columns(self, assembly: Assembly) -> tuple[str, ...]:
        names = [stone.name for stone in assembly.stones if not stone.fixed]
        poses = [f"{what} {name} [{unit}]" for name in names for what, unit in POSE]
        rates = [f"{what} {name} [{unit}]" for name in names for what, unit in RATES]
        return (*HEAD, *poses, *rates)

    def advance_for(self, assembly: Assembly) -> Any:
        return RULES[self.rule_for(assembly)]

    def parameters(self, assembly: Assembly) -> Workspace:
        rule = self.rule_for(assembly)
        if rule == "stepped" and (self.share or self.restitution):
            given = "share" if self.share else "restitution"
            raise InputError(
                f"{given} = {getattr(self, given)!r} needs located impacts, which rule='stepped' "
                f"(the usual one for more than {MOST_JOINTS} joints) does not have: leave it out, "
                "or give rule='located'."
            )
        small, size = smallest(assembly), scale(assembly)
        slow = math.sqrt(size)
        refuse_far(assembly, small)
        numbers = {
            STEP: self.step_for(assembly),
            GRAVITY: assembly.g,
            RESTITUTION: self.restitution,
            SHARE: self.share,
            MARGIN: 0.2 * small,
            CLOSED: TOUCHING * size,
            SAME: ALIKE * size,
            PART: PUSH_OUT * slow,
            CREEP: CREEP_BACK * slow,
            CALM: CALM_AFTER * slow,
            SWEEPS: MOST_SWEEPS[rule],
            BLOCK: FIRST_SWEEPS[rule],
            STEPS: NEWTON_STEPS[rule],
            RETRY: RETRIES[rule],
            SLOW: 1e-4 * math.sqrt(assembly.g * small),
            RUBBLE: float(self.rubble),
            ABYSS: _lowest(assembly),
        }
        return workspace(assembly, numbers)

    def start(self, assembly: Assembly, x0: float = 0.0, v0: float = 0.0) -> Any:
        refuse_initial(x0, v0)
        moving = [stone for stone in assembly.stones if not stone.fixed]
        state = np.zeros(SIZE + 6 * len(moving))
        for i, stone in enumerate(moving):
            state[SIZE + 3 * i : SIZE + 3 * i + 2] = stone.centre
        return state

    def poses(self, assembly: Assembly, states: Array) -> Array:
        """x, y of the centre of mass [m] and rotation [rad] of every stone, fixed ones included:
        (..., stones, 3)."""
        n = 3 * assembly.stone_count
        return all_poses(assembly, np.asarray(states)[..., SIZE : SIZE + n])

    def energy(self, assembly: Assembly, states: Array) -> Array:
        moving = [stone for stone in assembly.stones if not stone.fixed]
        shape = (*states.shape[:-1], len(moving), 3)
        n = 3 * len(moving)
        poses = states[..., SIZE : SIZE + n].reshape(shape)
        rates = states[..., SIZE + n :].reshape(shape)
        mass = np.array([stone.mass for stone in moving])
        inertia = np.array([stone.inertia for stone in moving])
        height = np.array([stone.centre[1] for stone in moving])
        kinetic = mass * (rates[..., 0] ** 2 + rates[..., 1] ** 2) + inertia * rates[..., 2] ** 2
        lift = mass * assembly.g * (poses[..., 1] - height)
        whole = (kinetic / 2 + lift).sum(axis=-1)
        if not assembly.links:
            return np.asarray(whole)
        return np.asarray(whole + link_energy(assembly, self.poses(assembly, states)))

    def displaced(self, assembly: Assembly, states: Array) -> Array:
        return np.asarray(states[..., DISPLACEMENT])

    def fallen(self, assembly: Assembly, time: Array, states: Array) -> list[tuple[str, float]]:
        return first_falls(assembly, time, self.poses(assembly, np.nan_to_num(states)))

    def at_rest(self, assembly: Assembly, states: Array) -> NDArray[np.bool_]:
        return np.asarray(states[..., QUIET] >= AT_REST * math.sqrt(scale(assembly)))

    def doomed(self, assembly: Assembly, state: Array) -> bool:
        return bool(state[FALLEN] > 0)

    def aftermath(self, assembly: Assembly) -> float:
        return 60.0 * max(1.0, math.sqrt(scale(assembly)))

    def laws_for(self, assembly: Assembly) -> str:
        return "rocksteady.analysis.auditing.stones:laws"

    def doubt(self, assembly: Assembly, states: Array) -> str | None:
        last = states[-1]
        rule = self.rule_for(assembly)
        if not last[UNCONVERGED] or (rule == "stepped" and last[RESIDUAL] < DOUBTFUL):
            return None
        return (
            f"{int(last[UNCONVERGED])} of {int(last[SOLVES])} contact problems were left with a "
            f"residual above {DOUBTFUL:g} g h, the worst with {last[RESIDUAL]:.1e} g h. "
            f"{_advice(rule)}"
        )

    def keeps_at_impact(self, assembly: Assembly) -> str:
        return "what impulses at the corners that touch leave of it (Housner's share, one block)"


POSE = (("x", "m"), ("y", "m"), ("theta", "rad"))
RATES = (("x rate", "m/s"), ("y rate", "m/s"), ("omega", "rad/s"))


def smallest(assembly: Assembly) -> float:
    """Reach of the smallest stone that moves [m]."""
    return min((stone.reach for stone in assembly.stones if not stone.fixed), default=1.0)


def scale(assembly: Assembly) -> float:
    """Reach of the smallest stone over 1 m: all lengths that a run calls none grow with it, and the
    squares of such times and speeds, so that a model on any scale moves as its original."""
    return smallest(assembly)


def refuse_far(assembly: Assembly, small: float) -> None:
    """Refuse stones so far from the origin that their gaps would be lost in rounding."""
    for stone in assembly.stones:
        far = max(map(abs, stone.centre))
        if far > FARTHEST * small and not stone.fixed:
            raise InputError(
                f"Stone {stone.name!r} lies {far:.3g} m from the origin, too far to tell whether "
                "joints are closed: subtract the coordinates of a corner from all stones, "
                "stone.moved(-x, -y)."
            )


@lru_cache(maxsize=256)
def joint_count(assembly: Assembly) -> int:
    """The number of joints at the start."""
    return len(joints(assembly))


def _advice(rule: str) -> str:
    if rule == "stepped":
        return (
            "A wall near its mechanism has no unique forces: compare with half the step, and judge "
            "many runs rather than one."
        )
    return (
        "Compare with half the step. Stones of very unequal mass on each other, or many joints, "
        "make such problems: join thin pieces to their stones, or try rule='stepped'."
    )


def _lowest(assembly: Assembly) -> float:
    """The height [m] below which there is nothing to fall on."""
    heights = [y for stone in assembly.stones if stone.fixed for _, y in stone.corners]
    return min(heights, default=-math.inf) - max(stone.reach for stone in assembly.stones)


def _link_periods(assembly: Assembly) -> list[float]:
    """Shortest period [s] with which each link can vibrate."""
    found = []
    for link in assembly.links:
        ends = [assembly.stones[assembly.number(name)] for name in link.stones]
        light = sum(1 / s.mass + s.reach**2 / s.inertia for s in ends if not s.fixed)
        if light:
            found.append(2 * math.pi / math.sqrt(4 * link.stiffness * light))
    return found
