"""Mexico's standard acceleration file, ASA 2.0 (UNAM, CENAPRED and others).

``KEY : value`` in Spanish, lists such as ``/V/N90E/N00E`` with an entry for each channel, then the
channels as columns below ``DATOS DE ACELERACION``. C1-C6 and C7-C12 are two lines of one list.
"""

import re
from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import NamedTuple

from rocksteady.motion.motion import Motion
from rocksteady.motion.readers.common.agreement import Peak, require_same_step
from rocksteady.motion.readers.common.motions import by_component, measured
from rocksteady.motion.readers.common.options import Options, settled_dt, step_of
from rocksteady.motion.readers.common.rows import rows, rows_begin
from rocksteady.motion.readers.common.source import Source
from rocksteady.motion.readers.common.words import (
    found_in,
    magnitude_in,
    number_in,
    plain,
    squeezed,
)
from rocksteady.motion.units import canonical_unit, unit_factor

NAME = "ASA"

_MOST_LINES = 199
_TITLE = "ARCHIVO ESTANDAR DE ACELERACION"
_DATA = "DATOS DE ACELERACION"


class _Header(NamedTuple):
    values: Mapping[str, str]  # by key: in capitals, without accents, units and channels
    lines: Mapping[str, int]
    names: list[str]  # of the columns
    first: int  # line of numbers

    def numbers(self, key: str) -> list[float | None]:
        """The entries of a list as numbers; None for one that is empty."""
        return [number_in(entry.replace(",", ".")) for entry in self.entries(key)]

    def entries(self, key: str) -> list[str]:
        """The entries of ``/V/N90E/N00E``; without those of channels that have no column."""
        entries = [entry.strip() for entry in self.values.get(key, "").split("/")[1:]]
        filled = [entry for entry in entries if entry]
        return filled if len(filled) == len(self.names) else entries


def sniff(source: Source) -> bool:
    """The title, below the institution's letterhead."""
    return b"ACELERACI" in source.content[:2500].upper() and _TITLE in plain(source.head[:2500])


def read(source: Source, options: Options) -> dict[str, Motion]:
    """One motion per channel, named by direction (V, N90E, N00E)."""
    header = _header(source)
    columns = len(header.names)
    counts = [int(n) for n in header.numbers("NUM. TOTAL DE MUESTRAS") if n and n < 1e9]
    layout = re.fullmatch(r"(\d+)F(\d+)(?:\.\d+)?", header.values.get("FORMATO DATOS", ""), re.I)
    width = int(layout[2]) if layout and len(layout[2]) < 3 else 0
    table = rows(source, header.first, columns, max(counts, default=None), width)
    motions = []
    for place, name in enumerate(header.names):
        dt = _step(source, header, place, len(table.values), options)
        values = table.values[:, place].copy()
        facts = {**_facts(header), "component": name, "note": table.note}
        peak = _peak(header, place)
        motions.append(
            measured(
                source, values, dt, _unit(source, header), options, facts, peak=peak, several=True
            )
        )
    return by_component(motions)


def _header(source: Source) -> _Header:
    lines = source.header(1, _MOST_LINES)
    title = next((i for i, line in enumerate(lines) if plain(line).startswith(_DATA)), None)
    if title is None:
        raise source.failure("has no line 'DATOS DE ACELERACION:' above its numbers.")
    first = rows_begin(source, title + 2, _MOST_LINES)
    values, places = dict[str, str](), dict[str, int]()
    key = ""
    for number, line in enumerate(lines[:title], start=1):
        words, colon, value = line.partition(":")
        if not colon:
            continue
        key = _key(words) or key
        text = value.strip()
        values[key] = f"{values[key]} {text}".strip() if key in values else text
        places.setdefault(key, number)
    return _Header(values, places, _names(source, values, lines[title : first - 1], first), first)


def _key(words: str) -> str:
    """A key without its unit, and C1-C6 and C7-C12 under one name."""
    bare = re.sub(r",?\s*C\d+-C\d+\s*,?|\(.*?\)|\[.*?\]", " ", plain(words))
    return " ".join(bare.split()).strip(" ,")


def _names(source: Source, values: Mapping[str, str], above: list[str], first: int) -> list[str]:
    """The direction of each column: in the line above the numbers, or as the channels have it."""
    count = len(re.sub(";", " ", source.header(first, first)[0]).split())
    for line in reversed(above):
        names = line.split()
        if len(names) == count and not re.match(r"[-+=]*$|CANAL", line.strip(), re.I):
            return [name.partition(";")[0] for name in names]
    listed = [name.strip() for name in values.get("ORIENTACION", "").split("/")[1:] if name.strip()]
    if len(listed) == count:
        return [name.partition(";")[0] for name in listed]
    return [f"canal {number}" for number in range(1, count + 1)]


def _step(source: Source, header: _Header, place: int, count: int, options: Options) -> float:
    """The time step [s] of a channel: the one that fits its length, if that is stated."""
    interval = _entry(header.numbers("INTERVALO DE MUESTREO"), place)
    rate = _entry(header.numbers("VEL. DE MUESTREO"), place)
    factor = number_in(header.values.get("FACTOR DE DECIMACION")) or 1.0
    stated = [step for step in (interval, step_of(rate) if rate else None) if step]
    stated += [float(f"{step * factor:.12g}") for step in stated if factor > 1]
    length = _entry(header.numbers("DURACION DEL REGISTRO"), place)
    line = header.lines.get("INTERVALO DE MUESTREO", 0)
    if interval and rate and options.dt is None and factor <= 1:
        require_same_step(source, interval, step_of(rate), options, line)
    for step in stated if length else ():
        if abs(count * step - (length or 0)) <= max(0.01 * count * step, 2 * step):
            return settled_dt(source, step, options, line)
    if stated and length:
        raise source.failure(
            f"the header states a step of {stated[0]:g} s and a length of {length:g} s, but "
            f"{count} samples: the file is cut or damaged.",
            line,
        )
    return settled_dt(source, stated[0] if stated else None, options, line)


def _entry(entries: list[float | None], place: int) -> float | None:
    """The entry of a channel, or the only one."""
    if len(entries) == 1:
        return entries[0]
    return entries[place] if place < len(entries) else None


def _unit(source: Source, header: _Header) -> str | None:
    """``Gal`` of "Gal (cm/s/s)", which must be the same unit."""
    words = header.values.get("UNIDADES DE LOS DATOS", "")
    unit, again = found_in(words, r"^\s*([^\s(]+)"), found_in(words, r"\(\s*([^\s)]+)")
    known = {canonical_unit(one) for one in (unit, again) if one} - {None}
    if len({unit_factor(one) for one in known if one}) > 1:
        raise source.failure(
            f"the header states two units, {words!r}: one of them is wrong. Get the file from its "
            "archive again.",
            header.lines["UNIDADES DE LOS DATOS"],
        )
    return unit


def _peak(header: _Header, place: int) -> Peak | None:
    entries = header.entries("ACEL. MAX.")
    if place >= len(entries):
        return None
    return Peak(entries[place].replace(",", "."), "", header.lines["ACEL. MAX."])


def _facts(header: _Header) -> dict[str, object]:
    value = header.values.get
    date, origin = value("FECHA DEL SISMO"), value("HORA EPICENTRO")
    return {
        "origin_time": squeezed(f"{date or ''} {origin or ''}"),
        "magnitude": magnitude_in(value("MAGNITUD")),
        "network": squeezed(value("INSTITUCION RESPONSABLE")),
        "station": value("CLAVE DE LA ESTACION"),
        "station_name": squeezed(value("NOMBRE DE LA ESTACION")),
        "instrument": squeezed(value("MODELO DEL ACELEROGRAFO")),
        "start_time": _start(date, origin, value("HORA DE LA PRIMERA MUESTRA")),
    }


def _start(date: str | None, origin: str | None, first: str | None) -> str | None:
    """When the first sample was taken: the file states only the earthquake's date, so the time
    nearest to the earthquake."""
    try:
        day = datetime.strptime((date or "").strip(), "%Y/%m/%d")
        times = []
        for text in (origin or first, first):
            hours, minutes, seconds = (float(part) for part in (text or "").split(":"))
            times.append(timedelta(hours=hours, minutes=minutes, seconds=seconds))
        shift = timedelta(days=round((times[0] - times[1]) / timedelta(days=1)))
        return f"{(day + times[1] + shift).isoformat()}+00:00"
    except (ValueError, OverflowError):
        return squeezed(first)
