"""Hazard curves from files: OpenQuake's CSV, the JSON of the USGS services, a plain table."""

from pathlib import Path
from typing import Any

from rocksteady.analysis.hazard.files import openquake, plain, usgs
from rocksteady.analysis.hazard.files.raw import Problem, Raw, hazard_values
from rocksteady.ensembles.labels import Measure, measure_named
from rocksteady.errors import InputError
from rocksteady.numbers import real
from rocksteady.text_tables import decoded

__all__ = ["example_text", "read_curve"]

KNOWN = (
    "OpenQuake's CSV of hazard curves, the JSON of a USGS hazard service, or a table with a "
    "heading such as pga [g],rate [1/year]"
)
LARGEST = 200_000_000  # bytes; a national model of 100 000 sites has less


def read_curve(
    path: Path, measure: str | Measure | None = None, site: tuple[float, float] | None = None
) -> dict[str, Any]:
    """The arguments of a `Hazard` from a file; an error names the file, the line or the key, and
    what was expected there."""
    wanted = None if measure is None else measure_named(measure)
    place = None if site is None else _checked_site(site)
    text = _text(path)
    try:
        return hazard_values(_raw(text, wanted, place), path, wanted)
    except Problem as problem:
        raise InputError(f"{path}{problem}") from None


def example_text() -> str:
    """A hazard file to be filled in."""
    return (Path(__file__).parents[1] / "example_hazard.csv").read_text(encoding="utf-8")


def _raw(text: str, wanted: Measure | None, site: tuple[float, float] | None) -> Raw:
    start = text.lstrip()[:1]
    if not start:
        raise Problem("", f"the file is empty: {KNOWN} was expected")
    if start == "<":
        raise Problem("line 1", f"this is XML or HTML: {KNOWN} was expected")
    if start in "{[":
        return usgs.read(text, wanted)
    if openquake.is_openquake(text):
        return openquake.read(text, site)
    return plain.read(text, wanted)


def _text(path: Path) -> str:
    if path.is_dir():
        raise InputError(f"{path} is a folder: give the file of a hazard curve.")
    if not path.exists():
        raise InputError(f"There is no file {path}: give the file of a hazard curve.")
    try:
        if path.stat().st_size > LARGEST:
            raise InputError(f"{path} is larger than {LARGEST / 1e6:g} MB: cut out your site.")
        raw = path.read_bytes()
    except OSError as error:
        raise InputError(f"{path} cannot be read: {error.strerror or error}.") from error
    text = decoded(raw)
    if "\0" in text:
        raise InputError(f"{path} is not a text: {KNOWN} was expected.")
    return text


def _checked_site(site: Any) -> tuple[float, float]:
    try:
        longitude, latitude = (real(value) for value in site)
    except (TypeError, ValueError):
        longitude = latitude = float("nan")
    if not (-180 <= longitude <= 360 and -90 <= latitude <= 90):
        raise InputError(
            f"site = {site!r} is no place: give longitude and latitude in degrees, as in "
            "(13.4, 42.35)."
        )
    return longitude, latitude
