"""Figures of the time-step campaign (D'Altri et al. 2024, Figs. 7 to 10)."""

import math
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from matplotlib.figure import Figure

from rocksteady.analysis.decay.swings import Swings, closed_form_half_periods, closed_form_peaks
from rocksteady.analysis.timestep.result import Campaign
from rocksteady.bodies import Block
from rocksteady.numerics.types import Array
from rocksteady.theories.dissipation.law import TimeStepLaw
from rocksteady.theories.dissipation.laws import law_named
from rocksteady.view import style

COLOURS = (style.BLUE, style.VERMILLION, style.GREEN, style.ORANGE, style.PURPLE, style.SKY)
MARKERS = "osD^vP"
FEW = 4  # curves that a panel can name itself
MS = 1e3


def plot_campaign(
    campaign: Campaign,
    path: str | Path | None = None,
    law: str | TimeStepLaw | None = None,
    *,
    title: str = "",
) -> Figure:
    """Estimated against measured best steps, and both over r for sizes, slendernesses and beds
    (Figs. 9 and 10). ``law`` is the campaign's own fit unless given, ``title`` the beginning of the
    headline."""
    chosen = campaign.fit() if law is None else law_named(law)
    A1, A2, A3 = chosen.coefficients
    title = (
        f"{title or f'Best time step, {campaign.body} body'}: "
        rf"$\Delta t = -{A1:.3f}\,(R\,h/b)^{{{A2:.3f}}}\,k_n^{{{A3:.3f}}}\,\ln r$"
        f"   ({chosen.name})"
    )
    with style.sheet(title, 150, path, math=True) as fig:
        axes = fig.subplots(2, 2)
        _draw_all(axes[0, 0], campaign, chosen)
        groups = _groups(campaign)
        for place, (name, members) in zip(axes.flat[1:], groups, strict=True):
            _draw_group(place, campaign, chosen, members)
            place.set_title(name)
        if len(groups[0][1]) > FEW:
            names = axes[0, 1].get_legend_handles_labels()
            fig.legend(*names, loc="outside lower center", ncols=6)
    return fig


def _draw_all(axes: Any, campaign: Campaign, law: TimeStepLaw) -> None:
    cases, estimated = campaign.cases, campaign.predicted(law)
    slenderness = np.round(cases.slenderness, 2)
    end = 1.06 * MS * max(float(cases.dt.max()), float(estimated.max()))
    axes.plot((0, end), (0, end), color=style.QUIET, lw=0.8, ls=style.DASHED)
    for value, colour, marker in zip(np.unique(slenderness), COLOURS, MARKERS, strict=False):
        mine = slenderness == value
        axes.plot(
            MS * cases.dt[mine],
            MS * estimated[mine],
            marker,
            ms=2.6,
            mfc="none",
            mec=colour,
            mew=0.6,
            label=f"h/b = {value:g}",
        )
    axes.set(xlim=(0, end), ylim=(0, end), aspect="equal")
    axes.set(xlabel="measured best Δt [ms]", ylabel="estimated Δt [ms]")
    axes.set_title(f"{len(cases)} cases, R² = {campaign.r2(law):.3f}")
    axes.legend(loc="upper left")


def _groups(campaign: Campaign) -> list[tuple[str, list[tuple[str, int, int]]]]:
    """(b) sizes, (c) slendernesses, (d) beds: (name, block, bed) of each curve. With three beds,
    as in the validation, a bed each instead (Fig. 10)."""
    blocks, beds = campaign.blocks, campaign.stiffnesses
    if len(beds) == 3:
        return [
            (
                rf"$k_n$ = {k_n / 1e8:g}·10$^8$ N/m³",
                [(f"{b.height:g} × {b.width:g} m", i, bed) for i, b in enumerate(blocks)],
            )
            for bed, k_n in enumerate(beds)
        ]
    usual = int(np.argmin(np.abs(np.log(beds / 5e8))))
    middle = sorted(range(len(blocks)), key=lambda i: blocks[i].slenderness)[len(blocks) // 2]
    alike = [i for i, b in enumerate(blocks) if _same(b.slenderness, blocks[middle].slenderness)]
    wide = [i for i, b in enumerate(blocks) if _same(b.width, blocks[middle].width)]
    bed = rf"$k_n$ = {beds[usual] / 1e8:g}·10$^8$ N/m³"
    return [
        (
            f"Sizes: h/b = {blocks[middle].slenderness:.3g}, {bed}",
            [(f"R = {blocks[i].R:.2f} m", i, usual) for i in alike],
        ),
        (
            f"Slendernesses: 2b = {blocks[middle].width:g} m, {bed}",
            [(f"h/b = {blocks[i].slenderness:.3g}", i, usual) for i in wide],
        ),
        (
            f"Beds: {blocks[middle].height:g} × {blocks[middle].width:g} m",
            [(rf"$k_n$ = {k_n / 1e8:g}·10$^8$ N/m³", middle, bed) for bed, k_n in enumerate(beds)],
        ),
    ]


def _same(a: float, b: float) -> bool:
    return math.isclose(a, b, rel_tol=1e-6)


def _draw_group(
    axes: Any, campaign: Campaign, law: TimeStepLaw, members: list[tuple[str, int, int]]
) -> None:
    smooth = np.linspace(campaign.ratios[0], campaign.ratios[-1], 60)
    for (name, i, bed), colour, marker in zip(members, COLOURS, MARKERS, strict=False):
        good = campaign.accepted[i, bed]
        axes.plot(
            campaign.ratios[good],
            MS * campaign.best_step[i, bed][good],
            marker,
            ms=3.2,
            mfc="white",
            mec=colour,
            mew=0.8,
        )
        k_n = float(campaign.stiffnesses[bed])
        line = [MS * law.step(campaign.blocks[i], k_n, float(r)) for r in smooth]
        axes.plot(smooth, line, color=colour, lw=1.0)
        axes.plot([], [], color=colour, marker=marker, mfc="white", ms=3.2, mew=0.8, label=name)
    axes.set(xlabel="r [–]", ylabel="Δt [ms]", ylim=(0, 1.12 * MS * campaign.steps[-1]))
    axes.set_xticks(np.arange(0.8, 1.0, 0.05))
    if len(members) <= FEW:
        axes.legend(loc="upper right", fontsize=7)


def plot_error_curves(
    steps: Sequence[float],
    curves: Array,
    ratios: Sequence[float],
    path: str | Path | None = None,
    *,
    title: str = "",
) -> Figure:
    """e_G over the time step, a curve for each r (Fig. 8)."""
    with style.sheet("", 70, path, width=110) as fig:
        axes = fig.subplots()
        axes.axhline(7, color=style.QUIET, lw=0.8, ls=style.DASHED)
        axes.annotate("accepted below 7 %", (MS * steps[0], 7.6), fontsize=7, color=style.QUIET)
        for curve, r, colour, marker in zip(curves.T, ratios, COLOURS, MARKERS, strict=False):
            shown = np.where(np.isfinite(curve), 100 * curve, np.nan)
            best = int(np.nanargmin(shown))
            axes.plot(MS * np.asarray(steps), shown, color=colour, lw=1.0)
            axes.plot(
                MS * steps[best],
                shown[best],
                marker,
                color=colour,
                ms=4.5,
                label=f"r = {r:g}, best at {MS * steps[best]:g} ms",
            )
        axes.set(xlabel="Δt [ms]", ylabel="$e_G$ [%]", xlim=(0, 1.02 * MS * steps[-1]))
        axes.set_ylim(0, 50)
        axes.set_title(title)
        axes.legend(loc="upper center")
    return fig


def plot_swings(
    found: Swings, block: Block, r: float, path: str | Path | None = None, *, title: str = ""
) -> Figure:
    """Peaks and half periods of one run beside the closed forms (Fig. 7)."""
    released = float(found.peaks[0]) / block.alpha
    # as many as Eq. 7 compares: until the closed form has died out to 5 %
    n = np.arange(len(found.half_periods))
    peaks = closed_form_peaks(released, r, n)
    n = n[: int(np.argmax(peaks < 0.05 * released)) + 1]
    with style.sheet(title, 62, path, math=True) as fig:
        left, right = fig.subplots(1, 2)
        pairs = (
            (left, peaks[n], found.peaks[n] / block.alpha, "peak |θ|/α [–]"),
            (
                right,
                closed_form_half_periods(released, r, block.p, n),
                found.half_periods[n],
                "half period [s]",
            ),
        )
        for axes, closed, run, label in pairs:
            axes.plot(n, closed, color=style.INK, lw=1.0, label="closed form (Eq. 3)")
            axes.plot(n, run, "o", ms=3.4, mfc="white", mec=style.VERMILLION, label="run")
            axes.set(xlabel="impacts n [–]", ylabel=label, ylim=(0, None))
        left.legend(loc="upper right")
        left.set_title("Peaks")
        right.set_title("Half periods")
    return fig
