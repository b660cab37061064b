"""What a fragility says, in sentences and in plain numbers."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

from rocksteady.analysis.stripes import LIFTS, OVERTURNED
from rocksteady.analysis.stripes import limit_words as limit_words
from rocksteady.ensembles.labels import PGA_ROTD100

if TYPE_CHECKING:
    from rocksteady.analysis.fragilities.fragility import Fragility, LimitState

FEW = 30  # draws below which a sentence asks for more
DOES = {LIFTS: "lift it off", OVERTURNED: "overturn it"}


def sentences(found: Fragility) -> list[str]:
    """The answer first, then how the numbers were made and where not to trust them."""
    main = found.main
    told = [_answer(found, main), *_gate(found), *_misfit(found, main), *_first(found, main)]
    return [*told, *_axes(found), *_draws(found), *_failed(found)]


def _does(limit: Any) -> str:
    if isinstance(limit, str):
        return DOES[limit]
    return f"rock it beyond {limit:g} of its balance angle"


def _said(found: Fragility, value: float) -> str:
    return f"{found.measure.short} {value:.3g} {found.measure.unit}"


def _answer(found: Fragility, state: LimitState) -> str:
    runs, curve = found.stripes, state.curve
    body, does = runs.system.label, _does(state.limit)
    if not runs.system.rocks:
        does = "bring it down" if state.limit == OVERTURNED else f"get it beyond {state.limit:g}"
    place = "" if runs.floor is None else f" on the {runs.floor}"
    if curve is None:
        return f"{body}{place}: {state.why}"
    text = f"{body}{place}: half of the motions {does} at {_said(found, curve.median)}"
    low, high = curve.median_interval
    if math.isfinite(low + high):
        text += f" ({100 * found.level:.0f} %: {low:.3g} to {high:.3g})"
    text = f"{text}, with a scatter β of {curve.beta:.2f}."
    first, last = runs.levels[0], runs.levels[-1]
    if first <= curve.median <= last:
        return text
    where, end = ("above", last) if curve.median > last else ("below", first)
    return f"{text} That is extrapolated: {where} the levels, which end at {_said(found, end)}."


def _axes(found: Fragility) -> list[str]:
    """In space: which of the components the measure is of."""
    runs = found.stripes
    if not runs.system.spatial or runs.measure == PGA_ROTD100:
        return []
    if all(motion.transverse is None for motion in runs.motions):
        return []
    return [
        f"{runs.measure.short} is that of the component along x alone. pga_rotd100, the largest "
        "horizontal acceleration in any direction, does not depend on the axes."
    ]


def _gate(found: Fragility) -> list[str]:
    runs = found.stripes
    if not 0 < runs.gate < math.inf:
        return []
    what = _said(found, runs.gate)
    alone = runs.floor is None and all(motion.vertical is None for motion in runs.motions)
    alone = alone and getattr(runs.system, "symmetric", False)
    if found.measure.coordinate == "pga" and alone:
        return [f"Below {what} nothing lifts off, so nothing falls: the curve is zero there."]
    return [
        f"None of these motions lifts it off below {what}: the curve is zero there. Another set of "
        "motions has another such level; it is the body's own only in peak acceleration, on the "
        "ground, without vertical motion and for a symmetric body."
    ]


def _misfit(found: Fragility, state: LimitState) -> list[str]:
    """The sentence that says when the curve leaves the shares' intervals."""
    off = state.misfit
    if off is None or not len(off.levels):
        return []
    at, count = off.levels, len(off.levels)
    where = _said(found, at[0])
    if count > 1:
        where = f"{count} of {off.of} levels between {where} and {at[-1]:.3g} {found.measure.unit}"
    return [
        f"The lognormal curve leaves the shares' {100 * found.level:.0f} % intervals at {where}; "
        f"it is off by up to {off.largest:.2f}, at {_said(found, off.at)}. Read probabilities from "
        "the shares."
    ]


def _first(found: Fragility, state: LimitState) -> list[str]:
    first, n = state.first, len(found.stripes.motions)
    told = []
    if first.stands_again and state.limit != LIFTS:
        goes = "does" if first.stands_again == 1 else "do"
        told.append(
            f"{first.stands_again} of {n} motions {_does(state.limit)} at one scale and {goes} not "
            "at a larger one."
        )
        if state.curve is not None and math.isfinite(first.median):
            less = 100 * (1 - first.median / state.curve.median)
            told.append(
                f"First falls (IDA) have their median at {_said(found, first.median)}, "
                f"{abs(less):.0f} % {'below' if less > 0 else 'above'} that of the shares: they "
                "answer another question, and the closer the levels, the lower they lie."
            )
    return told


def _draws(found: Fragility) -> list[str]:
    runs = found.stripes
    n, draws = len(runs.motions), runs.draws
    told = []
    if draws < n:
        told.append(
            f"The {n} motions come in {draws} clusters (one record, or one set of stochastic "
            "parameters): intervals are those of an effective number of draws (Korn and Graubard), "
            "and bands are by cluster."
        )
    if draws == 1:
        told.append("One draw has no share: give about a hundred motions that suit the site.")
    elif draws < FEW:
        what = "motions" if draws == n else "clusters of motions"
        band = "no band can be given" if draws == 2 else "intervals are wide"
        told.append(f"{draws} {what} are few, and {band}: about a hundred are better.")
    return told


def _failed(found: Fragility) -> list[str]:
    unknown = int((~found.stripes.known).sum())
    if not unknown:
        return []
    return [
        f"{unknown} of {found.stripes.known.size} runs gave no answer: shares are of the others, "
        "and none of them counts as standing."
    ]


# -- numbers ----------------------------------------------------------------------------------


def summary(found: Fragility) -> dict[str, Any]:
    """All numbers, JSON-ready."""
    runs, unit = found.stripes, found.measure.unit
    return {
        "body": runs.system.label,
        "formulation": runs.formulation.name,
        "floor": None if runs.floor is None else str(runs.floor),
        "measure": found.measure.short,
        "unit": unit,
        "motions": len(runs.motions),
        "clusters": runs.draws,
        "runs": int(runs.known.size),
        "failed": int((~runs.known).sum()),
        "level_of_intervals": found.level,
        f"gate [{unit}]": _plain(runs.gate),
        f"levels [{unit}]": [float(x) for x in runs.levels],
        "limits": {state.words: _of_state(found, state) for state in found.states.values()},
        "sentences": found.sentences,
    }


def _of_state(found: Fragility, state: LimitState) -> dict[str, Any]:
    unit, curve, first, counted = found.measure.unit, state.curve, state.first, state.shares
    about: dict[str, Any] = {
        "count": counted.count.tolist(),
        "of": counted.of.tolist(),
        "share": _plain(counted.share),
        "low": _plain(counted.low),
        "high": _plain(counted.high),
        "effective_draws": _plain(counted.draws),
    }
    if curve is None:
        about["curve"] = None
        about["why_no_curve"] = state.why
    else:
        about["curve"] = {
            f"median [{unit}]": curve.median,
            f"median_interval [{unit}]": [_plain(end) for end in curve.median_interval],
            "beta": curve.beta,
            "beta_interval": [_plain(end) for end in curve.beta_interval],
            "log_loss_per_run": curve.log_loss,
            f"leaves_the_intervals_at [{unit}]": state.misfit.levels.tolist()
            if state.misfit
            else [],
            "largest_misfit": state.misfit.largest if state.misfit else None,
        }
    about["first_falls"] = {
        f"median [{unit}]": _plain(first.median),
        "beta": _plain(first.beta),
        "never": first.never,
        "at_the_first_level": first.at_once,
        "stands_again": first.stands_again,
    }
    return about


def _plain(value: Any) -> Any:
    """Numbers that JSON can hold: None where there is none."""
    if isinstance(value, np.ndarray):
        return [_plain(float(one)) for one in value]
    return float(value) if math.isfinite(value) else None
