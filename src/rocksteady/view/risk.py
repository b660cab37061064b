"""A body's risk at a site: the hazard, the shares, and which shaking the rate comes from."""

from pathlib import Path
from typing import Any

import numpy as np
from matplotlib.figure import Figure

from rocksteady.analysis.hazard.result import Risk
from rocksteady.view import style
from rocksteady.view.words import wrapped

PERIODS = (10, 100, 475, 2475, 10_000, 100_000, 1_000_000)  # years, on the right of the hazard
NEARLY = 0.98  # of the largest share: where the axis may end
MARGIN = 2.0  # of the level above which a tenth of the rate lies
ROOM = 1.12  # ratio of levels left free beyond what is drawn


def plot_risk(risk: Risk, path: str | Path | None = None) -> Figure:
    """Draw the hazard curve, the share of the motions that get beyond the limit, and what each
    range of levels adds to the yearly rate.

    ``path`` (.png, .svg or .pdf), if given, is written whole or not at all.
    """
    with style.sheet(wrapped(f"{risk.stripes.system.label}: {_headline(risk)}"), 150, path) as fig:
        top, middle, bottom = fig.subplots(3, 1, sharex=True, height_ratios=(1.0, 1.15, 0.9))
        _draw_hazard(top, risk)
        _draw_shares(middle, risk)
        _draw_contributions(bottom, risk)
        bottom.set(xscale="log", xlim=_range(risk))
        measure = risk.hazard.measure
        bottom.set_xlabel(f"{measure.words} {measure.short} [{measure.unit}]")
        ticks = _ticks(*_range(risk))
        bottom.set_xticks(ticks, [f"{tick:g}" for tick in ticks])
        bottom.set_xticks([], minor=True)
    return fig


def _headline(risk: Risk) -> str:
    sentence = risk.sentence.partition(";")[0].rstrip(".")
    return sentence[:1].lower() + sentence[1:]


def _range(risk: Risk) -> tuple[float, float]:
    """From below lift-off to where nearly all motions do it, or the hazard ends."""
    known = risk.hazard.levels
    low = min(risk.nodes[0], max(known[0], risk.nodes[0] / 2), known[-1] / 2)
    most = float(risk.nodes[int(np.argmax(risk.shares >= NEARLY * risk.shares.max()))])
    parts = risk.contributions
    drawn = MARGIN * parts.high if parts.high < np.inf else parts.edges[-1]
    end = max(risk.nodes[-1], parts.edges[-1])
    return low / ROOM, max(min(max(most, drawn), end), parts.edges[-1] * (parts.beyond > 0)) * ROOM


def _ticks(low: float, high: float) -> list[float]:
    """1, 2 and 5 times powers of ten."""
    powers = 10.0 ** np.arange(np.floor(np.log10(low)), np.ceil(np.log10(high)) + 1)
    return [m * p for p in powers for m in (1.0, 2.0, 5.0) if low <= m * p <= high]


def _draw_hazard(axes: Any, risk: Risk) -> None:
    hazard, (low, high) = risk.hazard, _range(risk)
    inside = hazard.levels[(hazard.levels > low) & (hazard.levels < high)]
    last = high if hazard.continued else min(high, hazard.levels[-1])
    at = np.unique(np.concatenate([[low, last], inside[inside < last]]))
    axes.plot(at, hazard.rate(at), color=style.INK, lw=1.3)
    if not hazard.continued:
        axes.plot(inside, hazard.rate(inside), ".", color=style.INK, ms=3.5)
    axes.set(yscale="log", ylabel="exceeded [1/year]")
    rates = axes.get_ylim()
    shown = [period for period in PERIODS if rates[0] < 1 / period < rates[1]]
    right = axes.secondary_yaxis("right", functions=(_inverse, _inverse))
    right.set_ylabel("return period [years]")
    right.set_yticks(shown, [f"{period:,}".replace(",", "\u202f") for period in shown])
    right.set_yticks([], minor=True)
    axes.set_title(wrapped(f"Hazard: {hazard.name or 'as given'}", 90))


def _inverse(values: Any) -> Any:
    with np.errstate(divide="ignore"):
        return 1 / np.asarray(values, dtype=float)


def _draw_shares(axes: Any, risk: Risk) -> None:
    colour = style.BLUE
    low, high = risk.intervals
    look: dict[str, Any] = {"color": colour, "alpha": 0.2, "lw": 0}
    axes.fill_between(risk.nodes, low, high, label=f"{100 * risk.level:g} % interval", **look)
    axes.plot(risk.nodes, risk.shares, ".-", color=colour, ms=3.5, lw=1.0, label="share of motions")
    held = [risk.nodes[-1], max(_range(risk)[1], risk.nodes[-1])]
    axes.plot(held, [risk.shares[-1]] * 2, ":", color=colour, lw=1.0)
    if risk.curve is not None:
        at = np.geomspace(*_range(risk), 400)
        axes.plot(
            at, risk.curve.probability(at), color=style.VERMILLION, ls=style.DASHED, lw=0.9,
            label="lognormal curve",
        )  # fmt: skip
    gate = risk.stripes.gate
    if np.isfinite(gate):
        axes.axvline(gate, color=style.QUIET, lw=0.8, ls=style.DASHED, label="lift-off")
    axes.set(ylim=(-0.02, 1.02), ylabel="share")
    axes.set_yticks([0, 0.5, 1], ["0", "50 %", "100 %"])
    axes.set_title(f"Share of {len(risk.stripes.motions)} motions under which it {risk.event}")
    axes.legend(loc="lower right")


def _draw_contributions(axes: Any, risk: Risk) -> None:
    parts = risk.contributions
    whole = risk.rate or 1.0
    edges, heights = parts.edges, 100 * parts.rates / whole
    axes.bar(
        edges[:-1], heights, width=np.diff(edges), align="edge", color=style.ORANGE,
        edgecolor="white", linewidth=0.4,
    )  # fmt: skip
    if parts.beyond > 0:
        share = 100 * parts.beyond / whole
        axes.bar(edges[-1], share, width=edges[-1] * (ROOM - 1), align="edge", color=style.PURPLE,
                 edgecolor="white", linewidth=0.4)  # fmt: skip
        axes.annotate(
            "stronger", (edges[-1] * (1 + (ROOM - 1) / 2), share), xytext=(0, 2), ha="center",
            textcoords="offset points", fontsize=6.5, color=style.PURPLE, annotation_clip=False,
        )  # fmt: skip
    if parts.low > 0 and parts.high < np.inf:
        for level in (parts.low, parts.high):
            axes.axvline(level, color=style.QUIET, lw=0.8, ls=style.DASHED)
    axes.set(ylabel="of the rate [%]", ylim=(0, None))
    between = "; four fifths lie between the dashed lines" * bool(parts.high < np.inf)
    title = f"Where the rate, {risk.rate:.2g} a year, comes from{between}"
    axes.set_title(title if risk.rate else "Nothing within the hazard curve contributes")
