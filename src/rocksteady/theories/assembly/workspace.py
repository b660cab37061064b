"""What a run of an assembly reads and writes: all arrays, made once for a run.

Stones that move come first, fixed ones last. A *pair* is two convex parts of different stones that
are near each other. It has at most one *joint*: two *ends*, each a corner of one part on an edge of
the other. Contact searches write to one of two sides, START and END of a step.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from rocksteady.bodies.assembly import Assembly
from rocksteady.errors import InputError
from rocksteady.numerics.types import Array

Ints = NDArray[np.int64]
DROPPED = 0.5  # of its least width: a stone that has dropped by more has fallen

# -- `number`: what a run is made with ------------------------------------------------------------

(
    STEP,  # longest step [s]
    GRAVITY,  # [m/s²]
    RESTITUTION,
    SHARE,  # κ: what the old corner takes of the impulse of the landing one
    MARGIN,  # [m] parts nearer than this are a pair
    CLOSED,  # [m] an end nearer than this is closed
    SAME,  # [m] two edges that separate as well as this; the one of last time stays
    PART,  # [m/s] how fast stones that overlap are parted
    CREEP,  # [m/s] how fast a stuck joint goes back to where it stuck
    CALM,  # [s] without motion, after which steps may be longer
    SWEEPS,  # most sweeps of a solve
    BLOCK,  # sweeps before Newton's method is tried again; then twice as many
    STEPS,  # most steps of Newton's method
    RETRY,  # after an unsolved problem Newton's method is tried every so many solves; 0: always
    SLOW,  # [m/s] slower stones are called quiet
    RUBBLE,  # whether a run goes on once a stone has fallen
    ABYSS,  # [m] a stone below this height, under all that is fixed, ends every run
    NUMBERS,
) = range(18)

# -- `tally`: what a run counts -------------------------------------------------------------------

(
    PAIRS,  # pairs in the list
    SIDE,  # where the contacts of the present pose are; −1 before the first search
    STRIKES,  # whether an impact is due
    LOCATED,  # impacts located since the last interval without one
    SLID,  # slips that began or ended, and joints that parted, since the last step without one
    FACTORED,  # whether the matrix is factored, for the statuses in `kept`
    PLANNED,  # whether the envelope of the matrix fits the pairs; −1 if it is too large
    FIRST,  # whether the first solve is still to come
    UNSOLVED,  # problems left unsolved in a row
    COUNTS,
) = range(10)

# -- `body`: a row of three numbers a stone -------------------------------------------------------

# NumPy's integers: for each Python constant that a function is given, Numba compiles it anew.
Q, V, W, GUESS, FREE, TRIAL, PULL, AT, REST = map(np.int64, range(9))
"""Pose, velocity, velocity of the drift, guess of it, velocity without contact, trial pose,
accelerations, pose for which `turn` holds, pose at the start."""


START = np.int64(0)  # the side of a search that no other follows


# -- `kept` and `now`: statuses in a solve -------------------------------------------------------

OPEN, SHUT, AWAY = 0, 1, 2  # of an end; away: it takes no part
STICKS, SLIPS, SLIPS_BACK, OFF = 0, 1, -1, 9  # of a joint; off: nothing presses it


class Workspace(NamedTuple):
    number: Array
    tally: Ints
    travel: Array  # since the pairs were listed [m]; energy of links that broke in a step [J]
    shape: Array  # (stones, 4): 1/mass, 1/inertia, reach [m], drop at which it has fallen [m]
    body: Array  # (9, 3 · stones)
    turn: Array  # (stones, 2): cosine and sine of the pose AT
    part: Ints  # (parts, 4): stone, first corner, corners, number of the stone in the assembly
    box: Array  # (parts, 4)
    order: Ints  # parts from left to right
    corner: Array  # (corners, 4): from the centre of its stone [m]; in the plane
    pair: Ints  # (pairs, 5): parts a and b, stones a and b, which had the reference edge
    rub: Array  # (pairs, 2): μ; normal impulse that the cone is given beside its own
    live: Ints  # (2, pairs, 2): whether there is a joint; the end at which it sticks
    foot: Ints  # (2, pairs, 2, 3): corner, the two corners of the edge, of each end
    gap: Array  # (2, pairs, 2) [m]
    on: Ints  # (pairs, 4): ends that take part in a solve; ends closed at the start of a step
    row: Array  # (pairs, 3, 4): direction (x, y) and both lever arms of N₀, N₁, T
    weigh: Array  # (pairs, 6): W of the joint
    aim: Array  # (pairs, 3): b
    push: Array  # (pairs, 3): impulses p
    kept: Ints  # (pairs, 3): statuses for which the matrix is factored
    now: Ints  # (pairs, 3): statuses
    force: Array  # (pairs, 3): forces of the last kick [N]
    slip: Ints  # (pairs, 4): which way it slips at the start; whether the drift let it; whether it
    # took part; which way its friction has to act in a solve (0: it may stick)
    excess: Array  # (pairs, 4): see slips.py
    hold: Array  # (pairs, 2): where it sticks; its velocity before an impact
    held: Ints  # (pairs, 2): corner and edge that it sticks with
    rank: Ints  # (stones, 5): place in the matrix, stone there; first and last neighbour there;
    # whether it touches another stone
    start: Ints  # (3 · stones + 1, 3): where a row of the matrix begins; its columns from, before
    matrix: Array
    exact: Array  # (3, 3 · stones): right-hand side, solution, one over each pivot
    memory: Array  # (pairs, 7): force, hold, held of pairs while a new list is made
    old: Ints  # (pairs, 5)
    key: Ints  # code of the two stones of joints with a friction of their own
    friction: Array  # that friction; the usual one comes last
    link: Array  # (links, 7): k, pretension, length at the start, strength, pushes, first, points
    tied: Array  # (points, 3): stone, place from its centre
    broken: Ints  # which links are broken


def workspace(assembly: Assembly, numbers: dict[int, float]) -> Workspace:
    """For one run of this assembly."""
    stones = assembly.stones
    order = [*_places(assembly, fixed=False), *_places(assembly, fixed=True)]
    inner = {stone: i for i, stone in enumerate(order)}
    moving = sum(not stone.fixed for stone in stones)
    if moving == 0:
        raise InputError("No stone of the assembly can move: all of them are fixed.")
    shape = np.zeros((len(stones), 4))
    body = np.zeros((9, 3 * len(stones)))
    parts: list[tuple[int, ...]] = []
    corners: list[tuple[float, ...]] = []
    for i, place in enumerate(order):
        stone = stones[place]
        if not stone.fixed:
            shape[i, :2] = 1 / stone.mass, 1 / stone.inertia
        shape[i, 2:] = stone.reach, DROPPED * stone.least_width
        body[REST, 3 * i : 3 * i + 2] = stone.centre
        for part in stone.parts:
            parts.append((i, len(corners), len(part), place))
            corners += [(x - stone.centre[0], y - stone.centre[1], x, y) for x, y in part]
    body[Q] = body[REST]
    number = np.zeros(NUMBERS)
    for which, value in numbers.items():
        number[which] = value
    tally = np.zeros(COUNTS, dtype=np.int64)
    tally[SIDE], tally[FIRST] = -1, 1
    most = 12 * len(parts) + 64
    size = 3 * moving
    room = size * min(size, 6 * (12 + int(5 * math.sqrt(moving))))
    key, friction = _frictions(assembly)
    link, tied = _links(assembly, inner)
    return Workspace(
        number=number,
        tally=tally,
        travel=np.zeros(2),
        shape=shape,
        body=body,
        turn=np.tile([1.0, 0.0], (len(stones), 1)),
        part=np.array(parts, dtype=np.int64),
        box=np.zeros((len(parts), 4)),
        order=np.arange(len(parts)),
        corner=np.array(corners),
        pair=np.zeros((most, 5), dtype=np.int64),
        rub=np.zeros((most, 2)),
        live=np.zeros((2, most, 2), dtype=np.int64),
        foot=np.zeros((2, most, 2, 3), dtype=np.int64),
        gap=np.zeros((2, most, 2)),
        on=np.zeros((most, 4), dtype=np.int64),
        row=np.zeros((most, 3, 4)),
        weigh=np.zeros((most, 6)),
        aim=np.zeros((most, 3)),
        push=np.zeros((most, 3)),
        kept=np.zeros((most, 3), dtype=np.int64),
        now=np.zeros((most, 3), dtype=np.int64),
        force=np.zeros((most, 3)),
        slip=np.zeros((most, 4), dtype=np.int64),
        excess=np.zeros((most, 4)),
        hold=np.zeros((most, 2)),
        held=np.full((most, 2), -1, dtype=np.int64),
        rank=np.zeros((len(stones), 5), dtype=np.int64),
        start=np.zeros((size + 1, 3), dtype=np.int64),
        matrix=np.zeros(room),
        exact=np.zeros((3, size)),
        memory=np.zeros((most, 7)),
        old=np.zeros((most, 5), dtype=np.int64),
        key=key,
        friction=friction,
        link=link,
        tied=tied,
        broken=np.zeros(max(len(link), 1), dtype=np.int64),
    )


def _places(assembly: Assembly, *, fixed: bool) -> list[int]:
    return [i for i, stone in enumerate(assembly.stones) if stone.fixed == fixed]


def _frictions(assembly: Assembly) -> tuple[Ints, Array]:
    """Codes of the pairs of stones with a friction of their own, in order, and all frictions."""
    size = len(assembly.stones)
    own = sorted(
        (min(i, j) * size + max(i, j), assembly.friction_between(i, j))
        for i, j in (map(assembly.number, pair) for pair in assembly.joint_friction)
    )
    codes = np.array([code for code, _ in own] or [-1], dtype=np.int64)
    values = [value for _, value in own] or [assembly.friction]
    return codes, np.array([*values, assembly.friction])


def _links(assembly: Assembly, inner: dict[int, int]) -> tuple[Array, Array]:
    rows: list[tuple[float, ...]] = []
    tied: list[tuple[float, ...]] = []
    for link in assembly.links:
        length = sum(math.dist(a, b) for a, b in zip(link.points, link.points[1:], strict=False))
        strength, first = min(link.strength, 1e300), len(tied)
        numbers = (link.stiffness, link.pretension, length, strength, float(link.pushes))
        rows.append((*numbers, float(first), float(len(link.points))))
        for name, (x, y) in zip(link.stones, link.points, strict=True):
            place = assembly.number(name)
            cx, cy = assembly.stones[place].centre
            tied.append((float(inner[place]), x - cx, y - cy))
    return np.array(rows).reshape(-1, 7), np.array(tied).reshape(-1, 3)
