"""An arch under a horizontal load: four hinges, and what happens on both sides of its limit."""

from typing import Any

import numpy as np

from rocksteady.analysis.limit_analysis import LimitLoad, limit_load
from rocksteady.bodies.assembly import Assembly
from rocksteady.reproduce.assemblies.runs import (
    NO_SLIDING,
    draw_mechanism,
    pushed,
    side_by_side,
    unconverged,
)
from rocksteady.reproduce.drawing import long_table, sheet
from rocksteady.reproduce.verdict import Effort, Result, Verdict, claim, number
from rocksteady.response import Response
from rocksteady.view import style
from rocksteady.view.assembly.forces import draw_forces, paint_pale
from rocksteady.view.assembly.stage import View, set_view
from rocksteady.view.assembly.stones import start_poses

OPPENHEIM = 0.37  # printed
MECHANISMS = "12 digits of a search through all mechanisms of four hinges"
SHARES = {0.999: style.BLUE, 1.001: style.VERMILLION}  # of the collapse load
SEMICIRCLE = {True: 0.149295855670, False: 0.149969235910}
"""λ of an arch of 180° and 16 voussoirs that weigh as sectors, or as polygons."""


def oppenheim(effort: Effort) -> Result:
    """Arch of 157.5° and seven voussoirs, t/R = 0.15."""
    arch = Assembly.arch(7, 0.15, embrace=157.5, friction=NO_SLIDING)
    limit = limit_load(arch, sliding=False)
    runs = _both_sides(arch, limit.multiplier)
    with sheet("Oppenheim's arch: four hinges at λ = 0.370", 104) as fig:
        grid = fig.add_gridspec(2, 2, height_ratios=(1.1, 1))
        _draw_limit(fig.add_subplot(grid[0, 0]), fig.add_subplot(grid[0, 1]), limit)
        _draw_runs(fig.add_subplot(grid[1, :]), runs)
    parts = {
        f"{share:g} of the limit": {
            "time [s]": run.time,
            "displacement [m]": run.column("displacement"),
        }
        for share, run in zip(SHARES, runs, strict=True)
    }
    note = (
        "Voussoirs are drawn with straight chords and weigh as the sectors they are; as polygons "
        "they give 0.3736. Friction is unlimited."
    )
    verdicts = [*_limits(limit), *_sides("7 voussoirs, 157.5°", runs), *_semicircles()]
    return Result(long_table(parts, "load"), fig, verdicts, note)


def _both_sides(arch: Assembly, limit: float) -> list[Response]:
    return side_by_side(lambda share: pushed(arch, share * limit), SHARES)


def _draw_limit(moved: Any, forces: Any, limit: LimitLoad) -> None:
    draw_mechanism(moved, limit)
    moved.set_title("Its mechanism")
    set_view(forces, View.of(limit.assembly))
    start = start_poses(limit.assembly)
    paint_pale(forces, limit.assembly, start)
    draw_forces(forces, limit.assembly, limit.joints, limit.forces, start)
    forces.set_title("Forces in its joints at the limit")


def _draw_runs(ax: Any, runs: list[Response]) -> None:
    for (share, colour), run in zip(SHARES.items(), runs, strict=True):
        moved = np.maximum(run.column("displacement"), 1e-12)
        ax.semilogy(run.time, moved, color=colour, label=f"{share:g} λ")
    ax.set(xlabel="time [s]", ylabel="displacement [m]", xlim=(0, 4), ylim=(1e-12, 1))
    ax.set_title("Let go under a steady load on both sides of the limit")
    ax.legend(loc="center right")


def _limits(limit: LimitLoad) -> list[Verdict]:
    polygons = limit_load(
        Assembly.arch(7, 0.15, embrace=157.5, sectors=False, friction=NO_SLIDING), sliding=False
    )
    return [
        number("λ of 7 voussoirs, 157.5°, t/R = 0.15", OPPENHEIM, limit.multiplier, 0.005,
               "two digits"),
        number("the same", 0.370009738022, limit.multiplier, 1e-11, MECHANISMS,
               basis="independent"),
        number("voussoirs that weigh as polygons", 0.373611692344, polygons.multiplier, 1e-11,
               MECHANISMS, basis="independent"),
        number("its hinges", 4, len(limit.hinges), 0, "a count", basis="stated"),
    ]  # fmt: skip


def _sides(name: str, runs: list[Response]) -> list[Verdict]:
    stands, falls = runs
    worst = max(unconverged(run) for run in runs)
    return [
        claim(f"{name}: in motion at 0.999 λ and 1.001 λ", "stands, falls",
              f"{stands.status} within {stands.column('displacement').max():.0e} m, {falls.status}",
              not stands.fell and stands.column("displacement").max() < 1e-6 and falls.fell,
              basis="derived", reason="λ is exact where nothing slides",
              remark=f"Contact problems left unconverged: {worst:.0f}."),
    ]  # fmt: skip


def _semicircles() -> list[Verdict]:
    found = []
    for sectors, checked in SEMICIRCLE.items():
        arch = Assembly.arch(16, 0.15, sectors=sectors, friction=NO_SLIDING)
        limit = limit_load(arch, sliding=False).multiplier
        name = f"16 {'sectors' if sectors else 'polygons'}, 180°"
        runs = _both_sides(arch, limit)
        found += [
            number(f"{name}: λ", checked, limit, 1e-11, MECHANISMS, basis="independent"),
            *_sides(name, runs),
        ]  # fmt: skip
    return found
