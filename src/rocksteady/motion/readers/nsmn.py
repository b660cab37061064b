"""Türkiye's network (NSMN of AFAD) as text: ``KEY : value``, then a column for each component.

The lines are in English or Turkish, the letters in UTF-8 or Windows-1254. The columns are named in
the line above the numbers, in any order; their unit is stated with the peaks.
"""

import re
from collections.abc import Mapping
from typing import NamedTuple

from rocksteady.motion.motion import Motion
from rocksteady.motion.readers.common.agreement import Peak, ask_about_step
from rocksteady.motion.readers.common.motions import measured
from rocksteady.motion.readers.common.options import Options, settled_dt, step_of
from rocksteady.motion.readers.common.rows import require_times, rows, rows_begin
from rocksteady.motion.readers.common.source import Source
from rocksteady.motion.readers.common.words import (
    iso_time,
    magnitude_in,
    number_in,
    plain,
    squeezed,
)

NAME = "NSMN/AFAD"

_MOST_LINES = 60
_TITLE = re.compile(
    r"STRONG (?:GROUND )?MOTION RECORDS? OF TURK|TURKIYE.*KUVVETLI YER HAREKET|"
    r"KUVVETLI YER HAREKETI KAYIT"
)
# What a key begins with, without accents.
_KEYS = {
    "place": ("PLACE", "YER"),
    "date": ("EARTHQUAKE DATE", "DEPREM TARIH", "DEPREM ZAMAN"),
    "magnitude": ("EARTHQUAKE MAGNITUDE", "DEPREM BUYUKLU", "BUYUKLU"),
    "station": ("STATION ID", "STATION CODE", "ISTASYON KOD", "ISTASYON NO", "ISTASYON ID"),
    "start": ("RECORD TIME", "KAYIT ZAMAN", "KAYIT TARIH"),
    "count": ("NUMBER OF DATA", "VERI SAYI"),
    "step": ("SAMPLING INTERVAL", "ORNEKLEME ARALI"),
    "rate": ("SAMPLING RATE", "SAMPLING FREQ", "ORNEKLEME FREKANS", "ORNEKLEME HIZI"),
    "peaks": ("RAW PGA", "PGA", "HAM PGA"),
    "recorder": ("RECORDER TYPE", "CIHAZ TIP", "KAYITCI TIP"),
}
_DIRECTIONS = {
    "NS": "N-S", "SN": "N-S", "N": "N-S", "KG": "N-S", "GK": "N-S",
    "EW": "E-W", "WE": "E-W", "E": "E-W", "DB": "E-W", "BD": "E-W",
    "UD": "U-D", "UP": "U-D", "Z": "U-D", "V": "U-D", "DUSEY": "U-D", "DIKEY": "U-D",
    "KUZEYGUNEY": "N-S", "DOGUBATI": "E-W",
}  # fmt: skip
_TIMES = ("T", "TIME", "ZAMAN", "SANIYE")


class _Header(NamedTuple):
    values: Mapping[str, str]
    lines: Mapping[str, int]
    unit: str | None
    columns: list[str]
    first: int  # line of numbers


def sniff(source: Source) -> bool:
    """The title, in English or Turkish."""
    begin = source.content[:300]
    if not any(word in begin.upper() for word in (b"STRONG", b"KUVVETL")):
        return False
    return _TITLE.search(plain(_turkish(begin))) is not None


def read(source: Source, options: Options) -> dict[str, Motion]:
    """One motion per column: N-S, E-W, U-D."""
    header = _header(source)
    count = header.values.get("count", "")
    declared = int(count) if re.fullmatch(r"\d{1,9}", count) else None
    table = rows(source, header.first, len(header.columns), declared)
    line = header.lines.get("step", header.lines.get("rate", 0))
    dt = settled_dt(source, _step(header), options, line)
    ask_about_step(source, dt, options, line, usual=True)
    motions = {}
    for place, name in enumerate(header.columns):
        if name == "time":
            require_times(source, table, place, dt)
            continue
        values = table.values[:, place].copy()
        facts = {
            "origin_time": _time(header.values.get("date")),
            "magnitude": magnitude_in(_reversed(header.values.get("magnitude"))),
            "network": "NSMN",
            "station": header.values.get("station"),
            "station_name": header.values.get("place"),
            "component": name,
            "instrument": header.values.get("recorder"),
            "start_time": _time(header.values.get("start")),
            "note": table.note,
        }
        peak = _peak(header, name)
        motions[name] = measured(
            source, values, dt, header.unit, options, facts, peak=peak, several=True
        )
    return motions


def _turkish(part: bytes) -> str:
    """Text in UTF-8 or, failing that, in Windows-1254."""
    try:
        return part.decode("utf-8")
    except UnicodeDecodeError:
        return part.decode("cp1254", errors="replace")


def _header(source: Source) -> _Header:
    first = rows_begin(source, 2, _MOST_LINES)
    raw = source.content[: min(source.start_of(first), 40_000)]
    text = [line[:400] for line in _turkish(raw).split("\n")][: first - 1]
    values, lines, unit = dict[str, str](), dict[str, int](), None
    for number, words in enumerate(text, start=1):
        key, colon, value = words.partition(":")
        name = plain(key)
        for known, beginnings in _KEYS.items():
            if colon and known not in values and name.startswith(beginnings):
                values[known], lines[known] = " ".join(value.split()), number
                if known == "peaks":
                    stated = re.search(r"\(\s*([^()]+?)\s*\)", key)
                    unit = stated[1] if stated else None
    columns = _columns(source, text, first)
    return _Header(values, lines, unit, columns, first)


def _columns(source: Source, text: list[str], first: int) -> list[str]:
    """The names of the columns, in the lowest line that has as many words as there are numbers."""
    count = len(re.sub(r"[;]", " ", source.header(first, first)[0]).split())
    for words in reversed(text):
        names = re.split(r"[\s;]+", re.sub(r"\(.*?\)|\[.*?\]", " ", plain(words)).strip())
        letters = [re.sub(r"[^A-Z]", "", name) for name in names]
        known = ["time" if one in _TIMES else _DIRECTIONS.get(one, "") for one in letters]
        if "L" in letters:  # along and across the instrument: T is no time
            known = [one if one in ("L", "T") else _DIRECTIONS.get(one, "") for one in letters]
        if len(known) == count and all(known) and len(set(known)) == count:
            return known
    raise source.failure(
        f"no line names the {count} columns (N-S, E-W and U-D, in any order).", first - 1
    )


def _step(header: _Header) -> float | None:
    if "step" in header.values:
        return number_in(header.values["step"].replace(",", "."))
    rate = number_in(header.values.get("rate", "").replace(",", "."))
    return step_of(rate) if rate else None


def _peak(header: _Header, name: str) -> Peak | None:
    """The peak of one component in ``(N-S) 13.2 (E-W) 12.1``."""
    if "peaks" not in header.values or header.unit is None:
        return None
    for key, value in re.findall(r"\(([^()]*)\)\s*([-+.\d,]+)", header.values["peaks"]):
        letters = re.sub(r"[^A-Z]", "", plain(key))
        if _DIRECTIONS.get(letters, letters) == name:
            return Peak(value.replace(",", "."), header.unit, header.lines["peaks"])
    return None


def _time(text: str | None) -> str | None:
    """A time in ISO form: of 2017/07/20 22:31:09 (GMT) or 20/07/2017 22:30:58.00 (GMT)."""
    words = squeezed(re.sub(r"\(.*?\)|GMT|UTC", "", text or ""))
    form = "%Y/%m/%d %H:%M:%S" if re.match(r"\d{4}", words or "") else "%d/%m/%Y %H:%M:%S"
    return iso_time(words, form)


def _reversed(text: str | None) -> str | None:
    """``6.5 Mw`` as ``Mw 6.5``, also if there are several: ``7.8 (Ms) 7.6 (Mw)``."""
    found = re.findall(r"(\d+(?:[.,]\d+)?)\s*\(?(M\w?)\b", text or "", re.I)
    return " ".join(f"{kind} {value}" for value, kind in found).replace(",", ".") or text
