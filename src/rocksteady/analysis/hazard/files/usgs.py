"""The JSON of the USGS hazard services, in the form of today and in that of before 2021.

Now: ``response.hazardCurves[i].imt.value`` and ``.data[j]`` with ``component`` "Total" and
``values.xs``, ``values.ys``. Before: ``response[i].metadata.imt.value`` and ``.xvalues``,
``.data[j].yvalues``. The values are yearly rates.
"""

import json
import re
from typing import Any

from rocksteady.analysis.hazard.files.raw import Problem, Raw
from rocksteady.ensembles.labels import Measure, measure_named
from rocksteady.errors import InputError
from rocksteady.numbers import real

LONGEST = 1000  # digits of a whole number
_SPECTRAL = re.compile(r"SA(\d+)P(\d+)", re.IGNORECASE)


def read(text: str, wanted: Measure | None) -> Raw:
    """The total curve of the wanted measure, or of the only one."""
    try:
        data = json.loads(text, parse_int=_integer)
    except json.JSONDecodeError as error:
        raise Problem(
            f"line {error.lineno}, column {error.colno}", f"JSON was expected: {error.msg}"
        ) from None
    except RecursionError:
        raise Problem("", "JSON was expected, and this is nested too deeply") from None
    response = _at(data, "response", (dict, list), "the response of a USGS hazard service")
    curves = _old(response) if isinstance(response, list) else _new(response)
    return _chosen(curves, wanted)


def _integer(word: str) -> int | float:
    """A whole number; one of so many digits that Python would not convert it is infinite."""
    return int(word) if len(word) < LONGEST else float(word)


def _new(response: dict[str, Any]) -> dict[str, Raw]:
    every = _at(response, "hazardCurves", list, "a list of curves", "response")
    found = {}
    for i, curve in enumerate(every):
        path = f"response.hazardCurves[{i}]"
        name = _measure_of(_at(curve, "imt", (dict, str), "a measure", path), f"{path}.imt")
        at, total = _total(_at(curve, "data", list, "a list of components", path), f"{path}.data")
        values = _at(total, "values", dict, "xs and ys", at)
        xs = _numbers(values, "xs", f"{at}.values")
        ys = _numbers(values, "ys", f"{at}.values")
        found[name] = _raw(name, xs, ys, f"{at}.values.ys")
    return found


def _old(response: list[Any]) -> dict[str, Raw]:
    found = {}
    for i, curve in enumerate(response):
        path = f"response[{i}]"
        about = _at(curve, "metadata", dict, "imt and xvalues", path)
        name = _measure_of(
            _at(about, "imt", (dict, str), "a measure", f"{path}.metadata"), f"{path}.metadata.imt"
        )
        xs = _numbers(about, "xvalues", f"{path}.metadata")
        at, total = _total(_at(curve, "data", list, "a list of components", path), f"{path}.data")
        found[name] = _raw(name, xs, _numbers(total, "yvalues", at), f"{at}.yvalues")
    return found


def _raw(name: str, xs: list[float], ys: list[float], path: str) -> Raw:
    if len(xs) != len(ys):
        raise Problem(path, f"{len(ys)} rates for {len(xs)} levels: as many were expected")
    places = [f"{path}[{j}]" for j in range(len(ys))]
    unit = "cm/s" if name.upper() == "PGV" else None
    return Raw(xs, ys, places, "rate", 1.0, name, unit)


def _measure_of(imt: Any, path: str) -> str:
    """PGA, PGV, or "SA(0.2)" for SA0P2."""
    word = imt if isinstance(imt, str) else _at(imt, "value", str, "PGA or the like", path)
    spectral = _SPECTRAL.fullmatch(word)
    return word if spectral is None else f"SA({spectral[1]}.{spectral[2]})"


def _total(components: list[Any], path: str) -> tuple[str, dict[str, Any]]:
    """The curve of all sources together: the component "Total", or the only one without a name."""
    for j, part in enumerate(components):
        if isinstance(part, dict) and str(part.get("component", "Total")).lower() == "total":
            return f"{path}[{j}]", part
    raise Problem(path, 'a component "Total" was expected')


def _chosen(curves: dict[str, Raw], wanted: Measure | None) -> Raw:
    if not curves:
        raise Problem("response", "a curve was expected, and there is none")
    if wanted is None:
        if len(curves) == 1:
            return next(iter(curves.values()))
        raise Problem(
            "response", f"there are curves of {', '.join(curves)}: say which, as in measure='pga'"
        )
    for name, curve in curves.items():
        try:
            if measure_named(name) == wanted:
                return curve
        except InputError:
            continue
    raise Problem(
        "response", f"a curve of {wanted.short} was expected, and there are {', '.join(curves)}"
    )


def _at(data: Any, key: str, kind: Any, what: str, path: str = "") -> Any:
    """What is under a key, if it is of a kind."""
    where = f"{path}.{key}".lstrip(".")
    if not isinstance(data, dict) or key not in data:
        raise Problem(path or "the outermost level", f"a key {key!r} with {what} was expected")
    if not isinstance(data[key], kind):
        raise Problem(where, f"{what} was expected, and there is {_short(data[key])}")
    return data[key]


def _numbers(data: dict[str, Any], key: str, path: str) -> list[float]:
    values = _at(data, key, list, "a list of numbers", path)
    for j, value in enumerate(values):
        if isinstance(value, bool) or not isinstance(value, (int, float)):
            raise Problem(f"{path}.{key}[{j}]", f"{_short(value)}: a number was expected")
    return [real(value) for value in values]


def _short(value: Any) -> str:
    text = json.dumps(value)
    return text if len(text) < 40 else f"{text[:36]} …"
