"""Walls of blocks pushed sideways: the limit load, and what a push in motion makes of it."""

from typing import Any, NamedTuple

import numpy as np

from rocksteady.analysis.limit_analysis import LimitLoad, limit_load, mechanism_loads
from rocksteady.bodies.assembly import Assembly
from rocksteady.motion import Motion
from rocksteady.reproduce.assemblies.runs import (
    STEP,
    G,
    draw_mechanism,
    shaken,
    side_by_side,
    unconverged,
)
from rocksteady.reproduce.drawing import sheet
from rocksteady.reproduce.verdict import Effort, Result, Verdict, between, claim, number
from rocksteady.response import Response
from rocksteady.theories import BlockDynamics

ASSOCIATED = (0.642859, 0.579999, 0.403694, 0.331948, 0.239643, 0.347825)
NO_SLIDING = (1.904762, 1.142857, 0.685714, 0.457143, 0.336767, 0.706965)
IN_MOTION = ((0.640, 0.642), (0.565, 0.567), (0.361, 0.362), (0.307, 0.308), (0.215, 0.216),
             (0.292, 0.294))  # fmt: skip
"""Between which loads a wall gives way in another program, if the load rises in 1 s and is held for
2 s."""
PIER = 24 / 91
"""λ at which the right-hand pier of wall 4 turns about its toe as one stone."""
PRINTED = {1: 0.643}  # associated; wall 2 without dilatancy: 0.564
WITHOUT_DILATANCY = 0.564
LINEAR = "6 digits of two other forms of the linear program"
MOVED = 0.001  # m: a wall that has moved less at the end stands


class Push(NamedTuple):
    """One wall under one load."""

    wall: int
    load: float
    falls: bool
    moved: float
    """[m] at the end."""
    left: str
    """How many contact problems were left unconverged."""


def ferris_tin_loi(effort: Effort) -> Result:
    """Six walls of 0.4 × 0.175 m blocks, μ = 0.65."""
    walls = [Assembly.ferris_tin_loi(k) for k in range(1, 7)]
    limits = [limit_load(wall) for wall in walls]
    stuck = [limit_load(wall, sliding=False).multiplier for wall in walls]
    tried = effort.pick((1,), (1, 2, 3), (1, 2, 3, 4, 5, 6))
    pushes = _pushes(walls, tried)
    with sheet("Ferris and Tin-Loi's walls: how they give way under a horizontal push", 150) as fig:
        fig.get_layout_engine().set(h_pad=0.12, hspace=0.06)  # type: ignore[union-attr, call-arg]
        for axes, limit, k in zip(fig.subplots(2, 3).ravel(), limits, range(1, 7), strict=True):
            _draw(axes, limit, k)
    table = {
        "wall": list(range(1, 7)),
        "stones": [wall.stone_count for wall in walls],
        "associated [-]": [limit.multiplier for limit in limits],
        "no sliding [-]": stuck,
        "stays in motion at [-]": [_load(pushes, k, False) for k in range(1, 7)],
        "gives way in motion at [-]": [_load(pushes, k, True) for k in range(1, 7)],
    }
    note = (
        "The paper's own walls beyond the first are known from HybriDFEM's files. Associated "
        "friction lifts stones that slide, which gives an upper bound. In motion nothing lifts, "
        "and walls give way earlier; that load is not unique, since a wall can carry itself in "
        "many ways: 1 % is allowed on either side of the values of another program. Wall 4 gives "
        "way at the low end of the loads of its mechanism here, there at the high end."
    )
    verdicts = [*_associated(limits), *_stuck(stuck), *_in_motion(pushes, tried)]
    if 4 in tried:
        verdicts += _pier(walls[3], [push for push in pushes if push.wall == 4])
    return Result(table, fig, verdicts, note)


def pushed(wall: Assembly, load: float) -> Response:
    """A run under a load that rises in 1 s and is held for 2 s."""
    time = np.arange(round(3.0 / STEP) + 1) * STEP
    return shaken(wall, Motion(-load * G * np.minimum(time, 1.0), STEP), rule="stepped")


def _pushes(walls: list[Assembly], tried: tuple[int, ...]) -> list[Push]:
    """Each wall tried 1 % below the range in which it should give way, and 1 % above."""
    ranges = {k: (PIER, PIER) if k == 4 else IN_MOTION[k - 1] for k in tried}
    cases = [(k, load) for k, (low, high) in ranges.items() for load in (0.99 * low, 1.01 * high)]

    def one(case: tuple[int, float]) -> Push:
        run = pushed(walls[case[0] - 1], case[1])
        moved = float(run.column("displacement")[-1])
        left = f"{unconverged(run):.0f} of {run.column('solves')[-1]:.0f}"
        return Push(*case, run.fell or moved > MOVED, moved, left)

    return side_by_side(one, cases)


def _load(pushes: list[Push], wall: int, falls: bool) -> float:
    loads = [push.load for push in pushes if (push.wall, push.falls) == (wall, falls)]
    return (min(loads) if falls else max(loads)) if loads else float("nan")


def _draw(axes: Any, limit: LimitLoad, k: int) -> None:
    draw_mechanism(axes, limit)
    axes.set_title(f"Wall {k}: λ = {limit.multiplier:.3f}")


def _associated(limits: list[LimitLoad]) -> list[Verdict]:
    return [
        number("wall 1: λ, associated friction", PRINTED[1], limits[0].multiplier, 5e-4,
               "three digits"),
        *(number(f"wall {k}: λ, associated friction", value, limit.multiplier, 6e-7, LINEAR,
                 basis="independent")
          for k, (value, limit) in enumerate(zip(ASSOCIATED, limits, strict=True), 1)),
    ]  # fmt: skip


def _stuck(stuck: list[float]) -> list[Verdict]:
    return [
        number(f"wall {k}: λ, no sliding", value, ours, 6e-7, LINEAR, basis="independent")
        for k, (value, ours) in enumerate(zip(NO_SLIDING, stuck, strict=True), 1)
    ]


def _in_motion(pushes: list[Push], tried: tuple[int, ...]) -> list[Verdict]:
    found = []
    for k in tried:
        if k == 4:
            continue  # `_pier`
        below, above = (push for push in pushes if push.wall == k)
        low, high = IN_MOTION[k - 1]
        remark = _left(below, above)
        if k == 2:
            remark += f" Ferris and Tin-Loi without dilatancy: {WITHOUT_DILATANCY:g}."
        found.append(
            claim(f"wall {k}, pushed in motion without dilatancy", f"gives way at {low:g}–{high:g}",
                  f"{_word(below)}, {_word(above)}", not below.falls and above.falls,
                  basis="independent", reason="1 % below and above", remark=remark)
        )  # fmt: skip
    return found


def _pier(wall: Assembly, pushes: list[Push]) -> list[Verdict]:
    """Wall 4, of which only a pier turns, and slides down one head joint. How hard that joint is
    pressed is not determined: every load of a wide range is a collapse load."""
    below, above = pushes
    run = pushed(wall, above.load)
    moment = int(np.argmax(run.column("displacement") > MOVED))
    poses = BlockDynamics().poses(wall, run.states[moment - 1 : moment + 1])
    least, greatest = mechanism_loads(wall, poses[1] - poses[0])
    low, high = IN_MOTION[3]
    return [
        claim("wall 4, pushed in motion without dilatancy", f"gives way at 24/91 = {PIER:.4f}",
              f"{_word(below)}, {_word(above)}", not below.falls and above.falls, basis="derived",
              reason="1 % below and above: its pier turns about its toe as one stone",
              remark=_left(below, above)),
        number("wall 4: least λ of that mechanism", PIER, least, 1e-9, "closed form",
               basis="derived", remark="The head joint down which it slides carries nothing."),
        between("wall 4: greatest λ of that mechanism", 0.99 * low, 1.01 * high, greatest,
                f"1 % beside {low:g}–{high:g}, where another program's wall gives way",
                basis="independent", remark="The joint is pressed as hard as the wall can."),
    ]  # fmt: skip


def _left(below: Push, above: Push) -> str:
    return f"Contact problems left unconverged: {below.left} and {above.left}."


def _word(push: Push) -> str:
    return f"{'gives way' if push.falls else 'stays'} at {push.load:.4f}"
