"""A can that rocks or rolls: what happens when a round body passes close to flat.

Srinivasan and Ruina (2008): released with the slightest spin, a can does not strike the ground with
its whole base; its contact runs quickly around the rim, by a little more than half a turn, and it
rises again on the other side. With A the inertia about a horizontal axis, h the height of the
centre of mass and ρ the radius of the base, per unit mass,

    angle of turn  π/κ,   κ² = (A + h²)/(A + h² + ρ²),

and the friction without which it would slip there, from the acceleration of the centre of mass:
to first order in the tilt it lies hθ beside the middle and ρθ higher, so that

    T/N = h (1 − κ²)/(ρ κ²) = h ρ/(A + h²).
"""

import math
from typing import Any

import numpy as np

from rocksteady.bodies import Body
from rocksteady.numerics.types import Array
from rocksteady.reproduce.drawing import sheet
from rocksteady.reproduce.spatial.runs import CYLINDER, azimuth, wobbled
from rocksteady.reproduce.verdict import Effort, Result, Verdict, number
from rocksteady.response import Response
from rocksteady.view import style

CAN, TUBE = "uniform cylinder", "thin tube"
MASS_IN_THE_MIDDLE = "mass in the middle"
KINDS = (CAN, TUBE, MASS_IN_THE_MIDDLE)
COLOURS = dict(zip(KINDS, (style.BLUE, style.ORANGE, style.GREEN), strict=True))
RATIOS = (0.5, 1.0, 1.5, 2.0, 3.0, 4.0, 6.0)  # h/ρ

ANGLE = 1.0229037326807  # π: of the standard cylinder
LEAST_TILTS = {
    0.5: (0.01928782097153, 0.584780565643, 1.841026019021),
    1.0: (0.04265732434205, 0.6297285433082, 1.979942409072),
}
"""Restrained cylinder from 0.15 rad, azimuth rate [rad/s]: least tilt [rad], when [s], azimuth."""


def inertia(kind: str, h: float, rho: float) -> tuple[float, float]:
    """(A, C) per unit mass [m²]."""
    if kind == CAN:
        return rho**2 / 4 + h**2 / 3, rho**2 / 2
    return (rho**2 / 2 + h**2 / 3, rho**2) if kind == TUBE else (1e-4 * rho**2, 2e-4 * rho**2)


def can(kind: str, ratio: float, rho: float = 0.2) -> Body:
    """A round body whose centre of mass is ``ratio`` times as high as its base is wide."""
    A, C = inertia(kind, ratio * rho, rho)
    return Body(1.0, (A, A, C), (0.0, 0.0, ratio * rho), 2 * ratio * rho, radius=rho)  # type: ignore[arg-type]


def angle_of_turn(A: float, h: float, rho: float) -> float:
    """How far the contact runs around the rim in a close passage [rad]."""
    return math.pi * math.sqrt(1 + rho**2 / (A + h**2))


def friction_needed(A: float, h: float, rho: float) -> float:
    """T/N in a close passage [-]."""
    return h * rho / (A + h**2)


def passage(body: Body, rolling: str, closest: float) -> Response:
    """From a tilt of 0.001 rad down at 1 rad/s, past flat at a distance of ``closest`` rad, and up
    again, in samples that resolve it."""
    start, speed = 1e-3, 1.0
    kappa = math.pi / angle_of_turn(*_sizes(body))
    turning = closest * speed / (kappa * start**2)
    dt = 0.02 * closest / speed if closest > 1e-5 else 1e-5
    until = 2 * start / speed
    return wobbled(
        body, start, turning, rate=-speed, rolling=rolling, until=until, dt=dt
    )  # fmt: skip


def _sizes(body: Body) -> tuple[float, float, float]:
    assert body.radius is not None
    return body.inertia[0][0] / body.mass, body.centre[2], body.radius


def measured_angle(body: Body, rolling: str) -> float:
    """The angle of turn of a run [rad]: between tilts of 0.001 rad, with the straight line in the
    plane (θ, κφ) beyond them."""
    closest = 1e-7
    run = passage(body, rolling, closest)
    kappa = math.pi / angle_of_turn(*_sizes(body))
    turned, whole = float(azimuth(run)[-1] - azimuth(run)[0]), 2 * math.pi
    turned += whole * round((math.pi / kappa - turned) / whole)  # samples do not tell whole turns
    ends = [math.asin(closest / tilt) for tilt in run.column("tilt")[[0, -1]]]
    return turned + sum(ends) / kappa


def ratio_of_forces(run: Response) -> Array:
    """T/N [-] from second differences of the centre of mass; without the first and last sample."""
    place = np.stack([run.column(axis) for axis in "xyz"], axis=-1)
    accel = np.diff(place, 2, axis=0) / (run.time[1] - run.time[0]) ** 2
    return np.asarray(np.hypot(accel[:, 0], accel[:, 1]) / (accel[:, 2] + 9.81))


def rocks_or_rolls(effort: Effort) -> Result:
    """Angle of turn and friction over h/ρ and inertia."""
    bodies = {(kind, ratio): can(kind, ratio) for kind in KINDS for ratio in RATIOS}
    angles = {
        rolling: {key: measured_angle(body, rolling) for key, body in bodies.items()}
        for rolling in ("free", "restrained")
    }
    needed = {
        key: float(ratio_of_forces(passage(body, "free", 5e-5)).max())
        for key, body in bodies.items()
    }
    with sheet("A can that rocks or rolls: passing close to flat", 82) as fig:
        path, turn, slip = fig.subplots(1, 3)
        _draw_path(path)
        smooth = np.linspace(0.4, 6.5, 200)
        for kind in KINDS:
            exact = np.array([_exact(kind, float(ratio)) for ratio in smooth])
            colour = COLOURS[kind]
            turn.plot(smooth, exact[:, 0] / math.pi, color=colour, label=kind)
            slip.plot(smooth, exact[:, 1], color=colour, label=kind)
            for rolling, mark, size in (("free", "o", 4.5), ("restrained", "x", 3.5)):
                points = [angles[rolling][kind, ratio] / math.pi for ratio in RATIOS]
                turn.plot(RATIOS, points, mark, ms=size, mfc="white", color=colour)
            points = [needed[kind, ratio] for ratio in RATIOS]
            slip.plot(RATIOS, points, "o", ms=4.5, mfc="white", color=colour)
        turn.set(xlabel="h/ρ [–]", ylabel="angle of turn/π [–]", ylim=(1, None))
        turn.set_title("Angle of turn")
        turn.plot([], [], "o", ms=4.5, mfc="white", color=style.INK, label="free, computed")
        turn.plot([], [], "x", ms=3.5, color=style.INK, label="restrained")
        turn.legend(loc="upper right")
        slip.set(xlabel="h/ρ [–]", ylabel="T/N [–]", ylim=(0, None))
        slip.set_title("Friction needed")
    keys = list(bodies)
    table = {
        "body": [kind for kind, _ in keys],
        "h/ρ [-]": [ratio for _, ratio in keys],
        "angle of turn, closed form [rad]": [_exact(*key)[0] for key in keys],
        "angle of turn, free [rad]": [angles["free"][key] for key in keys],
        "angle of turn, restrained [rad]": [angles["restrained"][key] for key in keys],
        "T/N, closed form [-]": [_exact(*key)[1] for key in keys],
        "T/N, free [-]": [needed[key] for key in keys],
    }
    return Result(table, fig, _verdicts(angles, needed))


def _exact(kind: str, ratio: float) -> tuple[float, float]:
    """(angle of turn [rad], T/N [-])."""
    sizes = inertia(kind, ratio, 1.0)[0], ratio, 1.0
    return angle_of_turn(*sizes), friction_needed(*sizes)


def _draw_path(ax: Any) -> None:
    """Path of the centre of mass of the standard cylinder, let go with three azimuth rates."""
    for turning, colour in ((0.02, style.BLUE), (0.3, style.ORANGE), (1.0, style.VERMILLION)):
        run = wobbled(CYLINDER, 0.15, turning, until=2.4, dt=0.002)
        x, y = (1e3 * run.column(axis) for axis in "xy")
        ax.plot(x, y, color=colour, lw=0.9, label=f"φ' = {turning:g} rad/s")
    ax.plot(0, 0, "+", color=style.QUIET, ms=7)
    ax.set(xlabel="x [mm]", ylabel="y [mm]", title="Path of the centre")
    ax.set(xlim=(-150, 150), ylim=(-150, 240))  # room for the legend
    ax.set_aspect("equal")
    ax.legend(loc="upper left")


def _verdicts(
    angles: dict[str, dict[tuple[str, float], float]], needed: dict[tuple[str, float], float]
) -> list[Verdict]:
    first = "first order in the tilt: 0.001 rad"
    found = [
        number("angle of turn of the standard cylinder, closed form", ANGLE,
               angle_of_turn(*_sizes(CYLINDER)) / math.pi, 1e-13, "14 digits", unit="π",
               basis="derived"),
    ]  # fmt: skip
    for rolling, name in (("free", "free rolling"), ("restrained", "restrained to its circle")):
        off = max(abs(angles[rolling][key] / _exact(*key)[0] - 1) for key in needed)
        found.append(
            number(f"angle of turn over the closed form, 21 bodies, {name}, farthest from 1", 0.0,
                   off, 1e-3, first, basis="derived")
        )  # fmt: skip
    off = max(abs(needed[key] / _exact(*key)[1] - 1) for key in needed)
    found.append(
        number("T/N in a passage over hρ/(A + h²), 21 bodies, farthest from 1", 0.0, off, 0.01,
               "gravity adds to N: at a closest tilt of 5e-5 rad 0.5 % at most", basis="derived")
    )  # fmt: skip
    for turning, checked in LEAST_TILTS.items():
        least = _least(turning, checked[1])
        for name, unit, value, ours in zip(
            ("least tilt", "its time", "azimuth there"), ("rad", "s", "rad"), checked, least,
            strict=True,
        ):  # fmt: skip
            found.append(
                number(f"restrained from 0.15 rad, φ' = {turning:g}: {name}", value, ours, 1e-9,
                       "quadrature; ours is read between samples of 0.1 ms", unit=unit,
                       basis="derived")
            )  # fmt: skip
    return found


def _least(turning: float, near: float) -> tuple[float, float, float]:
    """(least tilt [rad], when [s], azimuth [rad]) of the restrained cylinder let go at 0.15 rad:
    where the rate of the tilt is zero, by Newton's rule from a sample."""
    dt = 1e-4
    run = wobbled(CYLINDER, 0.15, turning, until=near + 5 * dt, dt=dt)
    tilt, rate = run.column("tilt"), run.column("lean_rate") * CYLINDER.alpha
    k = int(np.argmin(tilt[1:])) + 1
    part = slice(k - 2, k + 3)
    time, phi = run.time[part] - run.time[k], np.unwrap(azimuth(run))[part]
    of_rate = np.polyfit(time, rate[part], 4)
    roots = np.roots(of_rate)
    at = float(np.real(roots[np.argmin(np.abs(roots))]))
    return (
        float(np.polyval(np.polyfit(time, tilt[part], 4), at)),
        float(run.time[k] + at),
        float(np.polyval(np.polyfit(time, phi, 4), at)),
    )
