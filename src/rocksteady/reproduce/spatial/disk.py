"""Euler's disk with a thickness: precession over tilt; and polygons, whose impacts vanish as 1/n.

With its centre of mass at rest a thick disk precesses at

    φ'² = g (ρ cos θ − h sin θ)/(sin θ (A cos θ − C (h/ρ) sin θ)),

for a thin one 4g/(ρ sin θ). Restrained to the circle on which it stood it is slower. Baranyai and
Várkonyi roll polygons in the place of disks, which lose energy as corner follows corner.
"""

import math
from typing import Any

import numpy as np

from rocksteady.bodies import Body
from rocksteady.numerics.types import Array
from rocksteady.reproduce.drawing import sheet
from rocksteady.reproduce.spatial.runs import CYLINDER, B, azimuth, released, wobbled
from rocksteady.reproduce.verdict import Effort, Result, Verdict, between, number
from rocksteady.view import style

AT_REST = {0.05: 11.2805275924755, 0.1: 6.9694296534881, 0.2: 2.8314893617516}
ON_CIRCLE = {0.05: 5.6463943757409, 0.1: 3.4323694615675, 0.2: 1.3485815661540}
"""Precession of the standard cylinder [rad/s] by tilt [rad]."""
ROLLED = (0.02852058793, 4.63821776305)  # tilt, azimuth of free rolling at 1.2 s
ROLL_TILT, ROLL_RATE, ROLL_TIME = 0.1, 1.0, 1.2
CORNERS = (6, 8, 12, 16, 24, 32)
LOST_BY_8 = 5.2  # %
THICK = (0.02, 0.1, 0.3, 1.0, 4.0)  # h/ρ


def disk(ratio: float, rho: float = 0.05) -> Body:
    """A uniform cylinder half as high as ``ratio`` times its radius."""
    return Body.cylinder(2 * rho, 2 * ratio * rho)


def sizes(body: Body) -> tuple[float, float, float, float, float]:
    """g, A, C per unit mass, h, ρ."""
    assert body.radius is not None
    (A, _, _), _, (_, _, C) = body.inertia
    return body.g, A / body.mass, C / body.mass, body.centre[2], body.radius


def precession(body: Body, tilt: Any, *, on_circle: bool = False) -> Any:
    """Rate of a steady precession [rad/s], with the centre of mass at rest or on the circle; nan
    where there is none that begins flat."""
    g, A, C, h, rho = sizes(body)
    s, c = np.sin(tilt), np.cos(tilt)
    pull = g * (rho * c - h * s)
    if on_circle:
        U, U_rate = rho * (1 - c) + h * s, rho * s + h * c
        square = pull / (U * U_rate + A * s * c + C * (1 - c) * s)
    else:
        turning = s * (A * c - C * h / rho * s)
        square = pull / np.where(turning > 0, turning, np.nan)
    return np.sqrt(np.where(square > 0, square, np.nan))


def turned_in(body: Body, tilt: float, *, on_circle: bool = False) -> tuple[float, float]:
    """(precession measured over a turn [rad/s], largest change of the tilt [rad]) of a disk started
    in the steady state, rolling freely."""
    rate = float(precession(body, tilt, on_circle=on_circle))
    _, _, _, h, rho = sizes(body)
    spin = rate * (math.cos(tilt) - 1) if on_circle else h / rho * rate * math.sin(tilt)
    turn = 2 * math.pi / rate
    run = wobbled(body, tilt, rate, spin=spin, rolling="free", until=turn, dt=turn / 200)
    phi = np.unwrap(azimuth(run))
    return float(phi[-1] - phi[0]) / turn, float(np.abs(run.column("tilt") - tilt).max())


def polygon(corners: int) -> Body:
    """The standard cylinder, standing on a regular polygon in its rim."""
    angles = 2 * math.pi * np.arange(corners) / corners
    base = tuple((B * math.cos(a), B * math.sin(a)) for a in angles.tolist())
    return Body(CYLINDER.mass, CYLINDER.inertia, CYLINDER.centre, CYLINDER.height, base)


def rolled(body: Body) -> tuple[float, Array, Array]:
    """(energy lost [%], time, tilt) of free rolling from 0.1 rad at 1 rad/s for 1.2 s."""
    s, c = math.sin(ROLL_TILT), math.cos(ROLL_TILT)
    if body.radius is not None:
        run = wobbled(body, ROLL_TILT, ROLL_RATE, rolling="free", until=ROLL_TIME)
    else:
        spin = (-ROLL_RATE * s, 0.0, ROLL_RATE * (c - 1))
        run = released(body, ROLL_TILT, 0.0, spin=spin, until=ROLL_TIME)
    return 100 * (1 - float(run.energy[-1] / run.energy[0])), run.time, run.column("tilt")


def euler(effort: Effort) -> Result:
    """Precession of thick disks, and what polygons lose."""
    bodies = {ratio: disk(ratio) for ratio in THICK}
    tilts = np.geomspace(0.02, 1.4, 300)
    points = [(ratio, tilt) for ratio in THICK for tilt in (0.03, 0.06, 0.12, 0.24, 0.5, 1.0)]
    points = [(r, t) for r, t in points if np.isfinite(precession(bodies[r], t))]
    found = {key: turned_in(bodies[key[0]], key[1]) for key in points}
    lost = {n: rolled(polygon(n)) for n in effort.pick(CORNERS[:4], CORNERS)}
    with sheet("Euler's disk with a thickness, and polygons", 82) as fig:
        rate, tilt, loss = fig.subplots(1, 3)
        colours = (style.INK, style.BLUE, style.GREEN, style.ORANGE, style.VERMILLION)
        for (ratio, body), colour in zip(bodies.items(), colours, strict=True):
            unit = math.sqrt(body.g / sizes(body)[4])
            rate.loglog(tilts, precession(body, tilts) / unit, color=colour, label=f"{ratio:g}")
            own = [key for key in points if key[0] == ratio]
            rate.plot([key[1] for key in own], [found[key][0] / unit for key in own], "o", ms=4,
                      mfc="white", color=colour)  # fmt: skip
        rate.set(xlabel="tilt [rad]", ylabel="precession φ'/√(g/ρ) [–]", ylim=(0.3, 60))
        rate.set_title("Centre of mass at rest")
        rate.legend(title="h/ρ", loc="upper right", ncols=2, columnspacing=1.0)
        _draw_loss(tilt, loss, lost)
    table = {
        "h/ρ [-]": [key[0] for key in points],
        "tilt [rad]": [key[1] for key in points],
        "closed form [rad/s]": [float(precession(bodies[r], t)) for r, t in points],
        "free rolling [rad/s]": [found[key][0] for key in points],
    }
    off = max(abs(found[r, t][0] / precession(bodies[r], t) - 1) for r, t in points)
    steady = number(
        f"precession over a turn, {len(points)} disks and tilts, over the closed form, farthest "
        "from 1", 0.0, float(off), 1e-8, "error of the integration", basis="derived",
    )  # fmt: skip
    return Result(table, fig, [*_rates(), steady, *_polygons(lost)])


def _draw_loss(tilt: Any, loss: Any, lost: dict[int, tuple[float, Array, Array]]) -> None:
    """Tilts of three polygons over time, and the loss of all over the number of corners."""
    colours = (style.VERMILLION, style.ORANGE, style.GREEN)
    for n, colour in zip((6, 8, 16), colours, strict=True):
        _, time, values = lost[n]
        tilt.plot(time, values, color=colour, label=f"{n} corners")
    _, time, values = rolled(CYLINDER)
    tilt.plot(time, values, color=style.INK, lw=2.2, alpha=0.35, label="round")
    tilt.set(xlabel="time [s]", ylabel="tilt [rad]", xlim=(0, ROLL_TIME), ylim=(0, 0.14))
    tilt.set_title("On polygons")
    tilt.legend(loc="upper center", ncols=2, columnspacing=1.0)
    corners = np.array(list(lost))
    shares = np.array([lost[n][0] for n in lost])
    loss.loglog(corners, shares, "o", ms=4.5, mfc="white", color=style.BLUE, label="computed")
    line = shares[-1] * corners[-1] / corners
    loss.loglog(corners, line, color=style.QUIET, ls=style.DASHED, label="1/n")
    loss.set(xlabel="corners n [–]", ylabel="energy lost in 1.2 s [%]")
    loss.set_xticks(corners, labels=[str(n) for n in lost])
    ticks = [tick for tick in (1, 2, 3, 5, 8) if shares.min() * 0.8 < tick < shares.max() * 1.2]
    loss.set_yticks(ticks, labels=[str(tick) for tick in ticks])
    loss.minorticks_off()
    loss.set_title("What they lose")
    loss.legend(loc="upper right")


def _rates() -> list[Verdict]:
    found = []
    for name, checked, on_circle in (
        ("with its centre at rest", AT_REST, False), ("on its circle", ON_CIRCLE, True)
    ):  # fmt: skip
        ours = [float(precession(CYLINDER, tilt, on_circle=on_circle)) for tilt in checked]
        off = max(abs(a - b) for a, b in zip(ours, checked.values(), strict=True))
        found.append(
            number(f"standard cylinder {name}, 0.05, 0.1, 0.2 rad: formula, farthest", 0.0, off,
                   1e-12, "13 digits", unit="rad/s", basis="derived")
        )  # fmt: skip
        runs = [turned_in(CYLINDER, tilt, on_circle=on_circle)[0] for tilt in checked]
        off = max(abs(a - b) for a, b in zip(runs, checked.values(), strict=True))
        found.append(
            number(f"standard cylinder {name}: free rolling over a turn, farthest", 0.0, off, 1e-8,
                   "error of the integration", unit="rad/s", basis="derived")
        )  # fmt: skip
    thin = disk(1e-6)
    exact = math.sqrt(4 * thin.g / (0.05 * math.sin(0.1)))
    ratio = float(precession(thin, 0.1)) / exact
    found.append(
        number("thin disk at 0.1 rad: formula over √(4g/(ρ sin θ))", 1.0, ratio, 1e-5,
               "h/ρ = 1e-6", basis="derived")
    )  # fmt: skip
    return found


def _polygons(lost: dict[int, tuple[float, Array, Array]]) -> list[Verdict]:
    run = wobbled(CYLINDER, ROLL_TILT, ROLL_RATE, rolling="free", until=ROLL_TIME)
    tilt, phi = float(run.column("tilt")[-1]), float(np.unwrap(azimuth(run))[-1])
    n = np.array([k for k in lost if k >= 8])
    order = float(np.polyfit(np.log(n), np.log([lost[int(k)][0] for k in n]), 1)[0])
    return [
        number("free rolling at 1.2 s: tilt", ROLLED[0], tilt, 1e-10,
               "11 digits, KKT with six freedoms", unit="rad", basis="independent"),
        number("free rolling at 1.2 s: azimuth", ROLLED[1], phi, 1e-9,
               "11 digits, KKT with six freedoms", unit="rad", basis="independent"),
        number("energy lost by 8 corners", LOST_BY_8, lost[8][0], 0.05, "two digits", unit="%",
               basis="independent"),
        between("order of the loss over n, 8 corners and more", -1.1, -0.9, order,
                "1/n, \"as 1/n\"", basis="independent"),
    ]  # fmt: skip
