"""Fragilities for other programs: a table, OpenQuake's NRML 0.5, a row of pelicun's database."""

from __future__ import annotations

import math
import re
from pathlib import Path
from typing import TYPE_CHECKING, Any
from xml.sax.saxutils import escape, quoteattr

from rocksteady.analysis.stripes import LIFTS, OVERTURNED, Limit
from rocksteady.ensembles.labels import Measure
from rocksteady.errors import InputError
from rocksteady.files import as_path, suffix_of, write_whole
from rocksteady.marks import mark
from rocksteady.names import csv_text, shown

if TYPE_CHECKING:
    from rocksteady.analysis.fragilities.fragility import Fragility, LimitState

KINDS = ("csv", "xml")
PELICUN = "pelicun.csv"  # how the name of a file for pelicun ends
STATES = 4  # limit states of a component in pelicun's files
CM_PER_M = 100.0  # OpenQuake has velocities in cm/s


def write(
    found: Fragility, path: str | Path, name: str | None = None, *, curve: bool = False
) -> Path:
    """Write a fragility: .csv, .xml (NRML; the lognormal curve instead of the shares if ``curve``)
    or …pelicun.csv."""
    path = as_path(path, "a file for the fragility")
    suffix = suffix_of(path, KINDS, "a fragility")
    if suffix == "xml":
        return write_whole(path, nrml(found, name, curve=curve))
    if path.name.lower().endswith(PELICUN):
        return write_whole(path, _csv([pelicun_row(found, name)]))
    return write_whole(path, _csv(rows(found)))


def _csv(table: list[dict[str, Any]]) -> str:
    return csv_text([table[0], *(row.values() for row in table)], "\r\n")


def rows(found: Fragility) -> list[dict[str, Any]]:
    """A row for each limit and level. First falls have a column of their own: they are no share."""
    at, level = found.stripes.levels, f"{100 * found.level:.0f} %"
    table = []
    for state in found.states.values():
        counted, curve = state.shares, state.curve
        up_to = state.first.fallen_up_to(at)
        for j, x in enumerate(at):
            row: dict[str, Any] = {
                "body": found.stripes.system.label,
                "limit": state.words,
                found.measure.column: float(f"{x:.6g}"),
                "beyond": int(counted.count[j]),
                "motions with an answer": int(counted.of[j]),
                "share [-]": _short(counted.share[j]),
                f"low {level} [-]": _short(counted.low[j]),
                f"high {level} [-]": _short(counted.high[j]),
                "effective draws": _short(counted.draws[j]),
            }
            low, high = curve.band(x) if curve is not None else (math.nan, math.nan)
            p = curve.probability(x) if curve is not None else math.nan
            row |= {
                "curve [-]": _short(p),
                f"curve low {level} [-]": _short(low),
                f"curve high {level} [-]": _short(high),
                "first falls up to here (IDA) [-]": _short(up_to[j]),
            }
            table.append(row)
    return table


def _short(value: Any) -> float | str:
    """Six digits; empty where there is no value."""
    return float(f"{float(value):.6g}") if math.isfinite(value) else ""


# -- OpenQuake --------------------------------------------------------------------------------


def nrml(found: Fragility, name: str | None = None, *, curve: bool = False) -> str:
    """NRML 0.5: the shares as a discrete function, or the curves as a continuous one. Below the
    noDamageLimit, our gate, OpenQuake takes the probability for zero."""
    imt, factor = _imt(found.measure)
    states = list(found.states.values())
    if curve:
        states = [state for state in states if state.curve is not None]
        if not states:
            raise InputError(f"There is no curve to write: {found.main.why}")
    names = [state_name(state.limit) for state in states]
    body, gate = found.stripes.system.label, found.stripes.gate
    limit = f' noDamageLimit="{factor * gate:.6g}"' if 0 < gate < math.inf else ""
    about = (
        f"{body} by {found.stripes.formulation.name} under {len(found.stripes.motions)} motions; "
        f"{'lognormal curves' if curve else 'shares of motions'}; {mark()}"
    )
    at = [f"{factor * x:.6g}" for x in found.stripes.levels]
    if curve:
        kind = 'format="continuous" shape="logncdf"'
        levels = f'<imls imt="{imt}"{limit} minIML="{at[0]}" maxIML="{at[-1]}"/>'
        values = [_params(state, one, factor) for state, one in zip(states, names, strict=True)]
    else:
        kind = 'format="discrete"'
        levels = f'<imls imt="{imt}"{limit}>{" ".join(at)}</imls>'
        values = [_poes(state, one) for state, one in zip(states, names, strict=True)]
    inside = "\n".join(f"      {line}" for line in (levels, *values))
    return (
        '<?xml version="1.0" encoding="UTF-8"?>\n'
        '<nrml xmlns="http://openquake.org/xmlns/nrml/0.5">\n'
        '  <fragilityModel id="rocksteady" assetCategory="contents" lossCategory="contents">\n'
        f"    <description>{escape(_ascii(shown(about)))}</description>\n"
        f"    <limitStates>{' '.join(names)}</limitStates>\n"
        f"    <fragilityFunction id={quoteattr(_id(name or body))} {kind}>\n"
        f"{inside}\n"
        "    </fragilityFunction>\n"
        "  </fragilityModel>\n"
        "</nrml>\n"
    )


def _poes(state: LimitState, name: str) -> str:
    if not (state.shares.of > 0).all():
        raise InputError("At some level no run gave an answer: OpenQuake needs a share at each.")
    values = " ".join(f"{share:.6g}" for share in state.shares.share)
    return f'<poes ls="{name}">{values}</poes>'


def _params(state: LimitState, name: str, factor: float) -> str:
    """OpenQuake wants mean and standard deviation of the level itself, not of its logarithm."""
    assert state.curve is not None
    median, beta = factor * state.curve.median, state.curve.beta
    mean = median * math.exp(beta**2 / 2)
    deviation = mean * math.sqrt(math.expm1(beta**2))
    return f'<params ls="{name}" mean="{mean:.9g}" stddev="{deviation:.9g}"/>'


def _imt(measure: Measure) -> tuple[str, float]:
    """OpenQuake's name of a measure, and what a level is multiplied by for its unit."""
    if measure.period:
        return f"SA({measure.period:g})", 1.0
    known = {"pga": ("PGA", 1.0), "pgv": ("PGV", CM_PER_M)}
    if measure.coordinate not in known:
        raise InputError(
            f"OpenQuake's fragilities are written for PGA, PGV and SA, not for {measure.short}: "
            "run them with one of these measures."
        )
    return known[measure.coordinate]


def state_name(limit: Limit) -> str:
    """A limit state in letters, digits and underscores: "rocks_50pct", "overturned"."""
    if limit in (LIFTS, OVERTURNED):
        return str(limit).replace(" ", "_")
    return f"rocks_{100 * float(limit):g}pct".replace(".", "p")


def _id(text: str) -> str:
    """Letters, digits, dashes and underscores, at most 100."""
    return re.sub(r"[^A-Za-z0-9_-]+", "_", _ascii(text)).strip("_")[:100] or "body"


def _ascii(text: str) -> str:
    plain = text.replace("×", "x").replace("θ", "theta").replace("α", "alpha")
    return plain.encode("ascii", "replace").decode()


# -- pelicun ----------------------------------------------------------------------------------


def pelicun_row(found: Fragility, name: str | None = None) -> dict[str, Any]:
    """A row of pelicun's fragility database: the limit states that have a curve, the last four.
    pelicun knows no gate: below lift-off it will see the curve's tail."""
    if found.measure.period:
        demand, unit = f"Peak Spectral Acceleration|{found.measure.period:.2f}", "g"
    else:
        known = {"pga": ("Peak Ground Acceleration", "g"), "pgv": ("Peak Ground Velocity", "mps")}
        if found.measure.coordinate not in known:
            raise InputError(
                f"pelicun's demands are PGA, PGV and SA, not {found.measure.short}: run the "
                "fragility with one of these measures."
            )
        demand, unit = known[found.measure.coordinate]
    curves = [state.curve for state in found.states.values() if state.curve is not None][-STATES:]
    if not curves:
        raise InputError(f"There is no curve to write: {found.main.why}")
    row: dict[str, Any] = {
        "ID": _id(name or found.stripes.system.label),
        "Incomplete": 0,
        "Demand-Type": demand,
        "Demand-Unit": unit,
        "Demand-Offset": 0,
        "Demand-Directional": 1,
    }
    for i in range(STATES):
        own = curves[i] if i < len(curves) else None
        row[f"LS{i + 1}-Family"] = "lognormal" if own else ""
        row[f"LS{i + 1}-Theta_0"] = _short(own.median) if own else ""
        row[f"LS{i + 1}-Theta_1"] = _short(own.beta) if own else ""
        row[f"LS{i + 1}-DamageStateWeights"] = ""
    return row
