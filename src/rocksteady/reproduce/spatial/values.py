"""Boxes on edges and corners: every checked value of polygonal bases."""

import math
from fractions import Fraction
from typing import Any

import numpy as np

from rocksteady.bodies import Body
from rocksteady.motion import Motion
from rocksteady.numerics.types import Array
from rocksteady.reproduce.drawing import long_table, sheet
from rocksteady.reproduce.spatial.runs import BOX, B, H, attitude, released, shaking, shares
from rocksteady.reproduce.verdict import Effort, Result, Verdict, number
from rocksteady.response import Response
from rocksteady.simulation import simulate
from rocksteady.theories import Spatial
from rocksteady.view import style

# let go on an edge at half of its limit: elliptic integrals
PLANAR_IMPACTS = (0.4684628626689, 1.230888343624, 1.877815116693, 2.438799919965)
# let go on a corner at 30 degrees, half of the diagonal's limit: SciPy, six freedoms
TILT, DIRECTION = math.atan(math.sqrt(2) / 4) / 2, 30.0
IMPACTS = (0.366855862405, 0.549236206861, 0.941714311493, 1.446850482353, 1.478784139071)
LEFT = (0.932333204408, 0.832785480429, 0.780771488561, 0.702430576677, 0.650812920506)
AXIS, YAW = (-0.11104795334, -0.02452706672, 0.99351234268), 0.069285120  # at 0.9 s
# half sizes 0.2, 0.3, 0.9 on a corner, 0.15 rad to 50 degrees, with a spin, at 0.25 s
SPUN = Body.box(0.4, 0.6, 1.8)
SPIN = (0.1, -0.2, 0.3)
SPUN_AXIS = (0.013837710994, 0.036592001877, 0.999234478565)
SPUN_AHEAD = (0.996655024165, -0.080543656246)
SPUN_SPIN = (0.561973388862, -0.463298250952, 0.327619869001)
UPLIFT = {0: 0.222222, 15: 0.230061, 30: 0.256600, 45: 0.314270, 60: 0.384900, 90: 0.333333}
WELLS = (0.0307764064, 0.0606601718)  # edge, corner
ECCENTRIC = 0.84025010306445
# cube of 1 m on a corner, its diagonal 0.1 rad off the vertical, precession 2 rad/s: spin about the
# diagonal [rad/s], the tilt to reach [rad], when [s], azimuth there [rad], digits
CUBE = (
    (0.0, 0.5, 0.69775343146, 0.57192754707, 2e-11),
    (4.0, 0.3, 0.5446174226, 0.6670585212, 2e-10),
)

SIX = "12 digits, by SciPy with six freedoms and its own impacts"
RATIONAL = "rational arithmetic: rounding"
SLENDER = (3, 4, 5, 8)


def planar_kept(k: Any) -> Any:
    """Share of energy that a planar impact of a square base leaves; k = h/b."""
    return ((2 * k * k - 1) / (2 * k * k + 2)) ** 2


def diagonal_kept(k: Any) -> Any:
    """The same about a diagonal, where three corners land at once."""
    return ((4 * k * k - 5) / (4 * k * k + 7)) ** 2


ONE_FIRST = {
    3: Fraction(1627, 1849) * Fraction(2475301, 3008323),
    4: Fraction(4651, 5041) * Fraction(21133381, 23445691),
    5: Fraction(10843, 11449) * Fraction(116403493, 124141507),
    8: Fraction(67627, 69169) * Fraction(4566111301, 4677691963),
}
"""About a diagonal where one corner lands first, however little: of both impacts together."""


def values(effort: Effort) -> Result:
    """A box let go on a corner, and what impacts leave of the energy."""
    run = released(BOX, TILT, DIRECTION, until=1.5)
    kept = {k: _kept(k) for k in SLENDER}
    with sheet("A box in space: let go on a corner, and at impacts", 80) as fig:
        history, energy, ratio = fig.subplots(1, 3)
        _draw_release(history, energy, run)
        smooth = np.linspace(2.5, 8.5, 200)
        ratio.plot(smooth, planar_kept(smooth), color=style.BLUE, label="on an edge")
        ratio.plot(smooth, diagonal_kept(smooth), color=style.VERMILLION,
                   label="diagonal, all at once")  # fmt: skip
        exact = [float(ONE_FIRST[k]) for k in SLENDER]
        ratio.plot(SLENDER, exact, "_", ms=9, color=style.GREEN, label="diagonal, one first")
        for i, colour in enumerate((style.BLUE, style.VERMILLION, style.GREEN)):
            label = "ours" if i == 0 else None
            points = [kept[k][i] for k in SLENDER]
            ratio.plot(SLENDER, points, "o", ms=4, mfc="white", mec=colour, label=label)
        ratio.set(xlabel="h/b [–]", ylabel="energy kept [–]", ylim=(0.3, 1.0))
        ratio.set_title("Impacts of a square base")
        ratio.legend(loc="lower right")
    table = {
        "time [s]": run.time,
        "tilt [rad]": run.column("tilt"),
        "yaw [rad]": run.column("yaw"),
        "energy left [-]": run.energy / run.energy[0],
    }
    verdicts = [
        *_release(run),
        *_planar(),
        *_impacts(kept),
        *_spun(),
        *_cube(),
        *_uplift(),
        *_mirrored(),
    ]
    return Result(long_table({"let go at 30 degrees": table}, "run"), fig, verdicts)


def _draw_release(history: Any, energy: Any, run: Response) -> None:
    history.plot(run.time, np.degrees(run.column("tilt")), color=style.BLUE, label="tilt")
    history.plot(run.time, np.degrees(run.column("yaw")), color=style.ORANGE, label="yaw")
    history.set(xlabel="time [s]", ylabel="angle [°]", xlim=(0, 1.5), title="Let go at 30°")
    history.legend(loc="upper right")
    energy.step([0, *IMPACTS, 1.5], [1, *LEFT, LEFT[-1]], where="post", color=style.INK, lw=2.2,
                alpha=0.35, label="SciPy")  # fmt: skip
    energy.plot(run.time, run.energy / run.energy[0], color=style.BLUE, label="ours")
    energy.set(xlabel="time [s]", ylabel="energy left [–]", xlim=(0, 1.5), ylim=(0.6, 1.02))
    energy.set_title("Its energy")
    energy.legend(loc="upper right")
    for ax in (history, energy):
        for time in IMPACTS:
            ax.axvline(time, color=style.FAINT, lw=0.8, zorder=0)


def _kept(k: int) -> tuple[float, float, float]:
    """(on an edge, diagonal at once, diagonal one first) of a box k times as high as wide."""
    body = Body.box(0.4, 0.4, 0.4 * k)
    planar, at_once = shares(body, 0.05, 0.0, 0.9)[0][0], shares(body, 0.05, 45.0, 0.5)[0][0]
    near = []  # the limit, from two small angles
    for off in (2e-6, 1e-6):
        first, second = shares(body, 0.05, 45.0 - off, 0.5, dt=0.001)[:2]
        near.append(first[0] * second[0])
    return planar, at_once, 2 * near[1] - near[0]


def _farthest(ours: object, checked: object) -> float:
    return float(np.abs(np.asarray(ours, float) - np.asarray(checked, float)).max())


def _release(run: Response) -> list[Verdict]:
    after = np.searchsorted(run.time, run.impacts.time, side="right")
    left = 1 - run.column("loss")[after] / run.energy[0]
    R = attitude(run)[900]
    return [
        number("let go at 30°: times of five impacts, farthest", 0.0,
               _farthest(run.impacts.time, IMPACTS), 1e-12, SIX, unit="s", basis="independent"),
        number("its energy left after each, farthest", 0.0, _farthest(left, LEFT), 2e-12, SIX,
               basis="independent"),
        number("its axis R e3 at 0.9 s, farthest", 0.0, _farthest(R[:, 2], AXIS), 1e-11,
               "10 digits, event driven in two steps", basis="independent"),
        number("its yaw at 0.9 s", YAW, math.atan2(-R[0, 1], R[0, 0]), 1e-9, "9 decimals",
               unit="rad", basis="independent"),
    ]  # fmt: skip


def _planar() -> list[Verdict]:
    run = released(BOX, math.atan(B / H) / 2, 0.0, until=2.5)
    return [
        number("on an edge at α/2: times of four impacts, farthest", 0.0,
               _farthest(run.impacts.time, PLANAR_IMPACTS), 2e-12, "elliptic integrals, 12 digits",
               unit="s", basis="derived"),
    ]  # fmt: skip


def _impacts(kept: dict[int, tuple[float, float, float]]) -> list[Verdict]:
    exact = [(planar_kept(k), diagonal_kept(k), float(ONE_FIRST[k])) for k in SLENDER]
    names = (
        "energy kept on an edge, ((2k² − 1)/(2k² + 2))², k = 3, 4, 5, 8, farthest",
        "energy kept about a diagonal, all at once, ((4k² − 5)/(4k² + 7))², farthest",
        "energy kept about a diagonal, one corner first, farthest",
    )
    tolerances = (1e-12, 1e-12, 1e-9)
    reasons = (
        RATIONAL,
        RATIONAL,
        "rational arithmetic; ours is a limit from 2e-6 and 1e-6 degrees",
    )
    found = [
        number(name, 0.0, _farthest([kept[k][i] for k in SLENDER], [row[i] for row in exact]),
               tolerance, reason, basis="derived")
        for i, (name, tolerance, reason) in enumerate(zip(names, tolerances, reasons, strict=True))
    ]  # fmt: skip
    body = Body.box(0.5, 0.4, 1.6, offset=(0.06, 0.0))
    _, before, after = shares(body, 0.05, 0.0, 0.9)[0]
    eta = after[10] / before[10]
    return [
        *found,
        number("eccentric box, 0.06 of 0.25 m: velocity kept from right to left", ECCENTRIC, eta,
               1e-13, "14 digits of (J + h² − b₁b₂)/(J + h² + b₂²)", basis="derived"),
    ]  # fmt: skip


def _spun() -> list[Verdict]:
    run = released(SPUN, 0.15, 50.0, spin=SPIN, until=0.25)
    R = attitude(run)[-1]
    spin = R @ [run.column(f"spin_{axis}")[-1] for axis in "xyz"]
    ours = [*R[:, 2], *R[0, :2], *spin]
    checked = [*SPUN_AXIS, *SPUN_AHEAD, *SPUN_SPIN]
    return [
        number("spun on a corner, at 0.25 s: attitude and angular velocity, farthest", 0.0,
               _farthest(ours, checked), 1e-12,
               "12 digits, KKT and Lagrange's equations in Euler angles", basis="independent"),
    ]  # fmt: skip


def _cube() -> list[Verdict]:
    """A cube that precesses on a corner: quadrature of the symmetric top."""
    diagonal = np.array([-1.0, -1.0, 1.0]) / math.sqrt(3)
    top = np.array([math.sin(0.1), 0.0, math.cos(0.1)])
    R = _turning(np.cross(diagonal, top), math.acos(float(diagonal @ top)))
    tilt, direction = math.acos(R[2, 2]), math.atan2(R[1, 2], R[0, 2])
    upright = _turning(np.array([-math.sin(direction), math.cos(direction), 0.0]), tilt).T @ R
    yaw, found = math.atan2(upright[1, 0], upright[0, 0]), []
    for spin, reached, time, turned, tolerance in CUBE:
        W = R.T @ [0.0, 0.0, 2.0] + (spin - 2 * math.cos(0.1)) * diagonal
        run = released(Body.box(1.0, 1.0, 1.0), tilt, math.degrees(direction), yaw=yaw,
                       spin=tuple(W.tolist()), until=time, dt=time / 500)  # fmt: skip
        x, y, z = attitude(run)[-1] @ diagonal
        off = max(abs(math.atan2(math.hypot(x, y), z) - reached), abs(math.atan2(y, x) - turned))
        found.append(
            number(f"cube on a corner, spin {spin:g} rad/s: tilt and azimuth, farther", 0.0, off,
                   tolerance, "digits of the quadrature", unit="rad", basis="derived")
        )  # fmt: skip
    return found


def _turning(axis: Array, angle: float) -> Array:
    """The matrix of a rotation."""
    x, y, z = axis / np.linalg.norm(axis)
    cross = np.array([[0, -z, y], [z, 0, -x], [-y, x, 0]])
    return np.asarray(np.eye(3) + math.sin(angle) * cross + (1 - math.cos(angle)) * cross @ cross)


def _mirrored() -> list[Verdict]:
    """The same motion mirrored, and with x and y exchanged."""
    motion = shaking(2, 3.6, seconds=4.0)
    x, y, z = motion.accel, motion.transverse, motion.vertical
    assert y is not None
    first, mirrored, exchanged = (
        simulate(BOX, Motion(one, motion.dt, transverse=other, vertical=z), until="motion")
        for one, other in ((x, y), (-x, y), (y, x))
    )
    return [
        number(f"{name}: tilt, farthest", 0.0,
               _farthest(run.column("tilt"), first.column("tilt")), tolerance,
               "rounding, as other code found it", unit="rad", basis="independent")
        for name, run, tolerance in (
            ("motion mirrored, x to −x", mirrored, 1e-14),
            ("x and y exchanged", exchanged, 2e-12),
        )
    ]  # fmt: skip


def _uplift() -> list[Verdict]:
    found = []
    for degrees in UPLIFT:
        way, ramp = math.radians(degrees), np.linspace(0, 0.5 * 9.81, 101)
        motion = Motion(ramp * math.cos(way), 0.01, transverse=ramp * math.sin(way))
        run = simulate(SPUN, motion, Spatial(), until="motion")
        found.append(next(time for time, event, *_ in run.events if event == 1) / 2)
    theory, wells = Spatial(), []
    for arm, direction in ((B, 0.0), (math.sqrt(2) * B, 45.0)):
        state = np.array(theory.leaning(BOX, math.atan(arm / H), direction))
        wells.append(float(theory.energy(BOX, state)) / (BOX.mass * BOX.g * H))
    return [
        number("uplift over g of 0.4 × 0.6 × 1.8 m at 0, 15, 30, 45, 60, 90°, farthest", 0.0,
               _farthest(found, list(UPLIFT.values())), 5e-7, "six decimals of the formula",
               basis="derived"),
        number("wells over m g h: edge, corner, farthest", 0.0, _farthest(wells, WELLS), 6e-11,
               "ten decimals of the formula", basis="derived"),
    ]  # fmt: skip
