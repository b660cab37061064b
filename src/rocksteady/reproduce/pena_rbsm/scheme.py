"""Peña: bodies with n sides, and central differences with a constant step."""

import math
from itertools import pairwise
from typing import Any

import numpy as np

from rocksteady.bodies import Block
from rocksteady.errors import InputError
from rocksteady.motion.generate.pulses import sine
from rocksteady.numerics.types import Array
from rocksteady.reproduce.drawing import sheet
from rocksteady.reproduce.verdict import Effort, Result, Verdict, claim, number
from rocksteady.simulation import simulate
from rocksteady.theories import RigidBodySpring
from rocksteady.theories.springs import stable_step
from rocksteady.view import style

OUTLINE = ((0.0, 0.0), (0.5, 0.0), (0.5, 1.4), (0.35, 2.0), (0.1, 2.0))  # m
BLOCK = Block(height=2.0, width=0.4)
FRACTIONS = (0.4, 0.2, 0.1, 0.05)  # of the longest stable step
FINEST = 1 / 2048


def scheme(effort: Effort) -> Result:
    """A body of five sides, and the response on the whole base for smaller and smaller steps."""
    body = Block.from_outline(OUTLINE)
    bed = RigidBodySpring().bed(BLOCK)
    limit = stable_step(BLOCK, bed.K, bed.K_s, bed.beta)
    exact = _pushed(FINEST * limit)
    errors = [
        float(np.abs(_pushed(part * limit) - exact).max() / np.abs(exact).max())
        for part in FRACTIONS
    ]
    with sheet("Peña, rigid body spring model: a body with n sides, and the step", 80) as fig:
        shape, steps = fig.subplots(1, 2)
        x, y = np.array([*OUTLINE, OUTLINE[0]]).T
        shape.fill(x, y, color=style.FAINT)
        shape.plot(x, y, color=style.INK)
        centre = (0.25 + body.offset, body.com_height)
        shape.plot(*centre, "o", color=style.VERMILLION, label="centre of mass")
        shape.set(xlabel="x [m]", ylabel="y [m]", aspect="equal", title="Five sides")
        shape.set(xlim=(-0.6, 1.1), ylim=(0, 2.4))
        shape.legend(loc="upper right")
        steps.loglog(FRACTIONS, errors, "o-", ms=4, color=style.BLUE, label="ours")
        steps.loglog(FRACTIONS, [errors[-1] * part / FRACTIONS[-1] for part in FRACTIONS],
                     color=style.QUIET, ls=style.DASHED, label="first order")  # fmt: skip
        steps.set(xlabel="step over the stable limit [–]", ylabel="largest |Δθ|/peak [–]")
        steps.set_title("Central differences, on the whole base")
        steps.set_xticks(FRACTIONS, [f"{part:g}" for part in FRACTIONS])
        steps.set_yticks([4e-4, 1e-3, 3e-3], ["4·10⁻⁴", "10⁻³", "3·10⁻³"])
        steps.minorticks_off()
        steps.legend(loc="upper left")
    table = {"step over limit [-]": FRACTIONS, "largest |Δθ|/peak [-]": errors}
    order = float(np.polyfit(np.log(FRACTIONS), np.log(errors), 1)[0])
    return Result(table, fig, [*_body(body), *_steps(limit, bed, order)])


def _pushed(dt: float) -> Array:
    """Lean [rad] under a ground too weak to lift a corner."""
    ground = sine(amplitude=1.0, period=0.05, dt=1e-3)
    run = simulate(BLOCK, ground, RigidBodySpring(dt=dt), duration=0.05)
    return np.asarray(run.theta)


def _body(body: Block) -> list[Verdict]:
    """Mass, centre and inertia against the triangles of a fan from the first corner."""
    mass = moment_x = moment_y = polar = 0.0
    for one, two in pairwise(OUTLINE[1:]):
        corners = np.array([OUTLINE[0], one, two])
        part = body.density * body.thickness * abs(float(np.linalg.det(corners[1:]))) / 2
        centre = corners.mean(axis=0)
        own = part / 36 * sum(float(np.sum((corners[i] - corners[i - 1]) ** 2)) for i in range(3))
        mass += part
        moment_x += part * centre[0]
        moment_y += part * centre[1]
        polar += own + part * float(centre @ centre)
    x, y = moment_x / mass, moment_y / mass
    rows: tuple[tuple[str, float, float, str], ...] = (
        ("mass", mass, body.mass, "kg"),
        ("centre of mass off the middle of the base", x - 0.25, body.offset, "m"),
        ("height of the centre of mass", y, body.com_height, "m"),
        ("moment of inertia about it", polar - mass * (x**2 + y**2), body.inertia, "kg m²"),
    )
    return [
        number(f"five sides: {name}", value, ours, 1e-12 * max(1.0, abs(value)), "rounding",
               unit=unit, basis="derived", remark="By triangles.")
        for name, value, ours, unit in rows
    ]  # fmt: skip


def _steps(limit: float, bed: Any, order: float) -> list[Verdict]:
    m, inertia, h, b = BLOCK.mass, BLOCK.inertia, BLOCK.com_height, BLOCK.width / 2
    # [K] of u, v, ψ on the whole base, Eq. 3: v alone, and u with ψ
    swing = np.array([[bed.K_s, bed.K_s * h], [bed.K_s * h, bed.K_s * h**2 + 2 * bed.K * b**2]])
    squares = np.linalg.eigvals(np.diag([1 / m, 1 / inertia]) @ swing)
    omega = math.sqrt(max(2 * bed.K / m, float(np.max(squares.real))))
    xi = bed.beta * omega / 2
    try:
        _pushed(1.01 * limit)
        refused = "no"
    except InputError:
        refused = "yes"
    return [
        number("longest stable step, (2/ω)(√(1 + ξ²) − ξ)", 2 / omega * (math.sqrt(1 + xi**2) - xi),
               limit, 1e-12, "rounding", unit="s", basis="derived"),
        claim("a step 1 % longer is refused", "conditionally stable", refused, refused == "yes",
              basis="derived"),
        number("order in the step, on the whole base", 1.0, order, 0.1,
               "dashpots feel the velocity half a step before: first order; a fit",
               basis="derived"),
    ]  # fmt: skip
