"""Names and words from outside, made safe for each kind of output.

File names may contain any byte, and the names in files any character: an escape sequence that a
terminal obeys, a NUL that no XML file may contain, a byte that is no UTF-8, or a ``=`` at which a
spreadsheet begins a formula. Each kind of output passes its text through one function: `shown` for
terminals, figures and messages, `storable` for what files keep word for word, `markup` for SVG,
HTML and XML, `cell` for CSV (`csv_text` and `csv_table` write whole tables with it).
"""

import csv
import io
import re
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import pandas

# Control characters but tab and newline; halves of surrogate pairs, which stand for bytes that are
# no UTF-8; what turns the direction of writing; and what is no character.
_UNSAFE = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069\ud800-\udfff\ufffe\uffff]"
)
_UNSTORABLE = re.compile("[\x00\ud800-\udfff]")
_FORMULA = ("=", "+", "-", "@", "\t", "\r")


def shown(text: str) -> str:
    """Text for a terminal, a figure or a message: what is not printable appears as ``\\x1b``."""
    return text if text.isascii() and text.isprintable() else _UNSAFE.sub(_escaped, text)


def without_unsafe(text: str) -> str:
    """The same without what `shown` shows as codes, and on one line: for names of new files."""
    return _UNSAFE.sub("", text).replace("\n", "").replace("\t", "")


def storable(text: str) -> str:
    """Text that every file can hold: NUL, at which tables cut it off, and what UTF-8 has no bytes
    for as ``\\x00`` and ``\\xe9``, all else as it is."""
    return _UNSTORABLE.sub(_escaped, text)


def markup(text: str) -> str:
    """A whole SVG, HTML or XML document without characters that it may not contain."""
    return _UNSAFE.sub(_escaped, text)


def cell(value: Any) -> Any:
    """A cell of a table: text as `shown`, after an apostrophe where a spreadsheet would take it for
    a formula. Numbers stay, also as text."""
    if not isinstance(value, str):
        return value
    if not value.startswith(_FORMULA):
        return shown(value)
    from rocksteady.numbers import is_number  # NumPy, which `rocksteady --help` does without

    return value if is_number(value) else f"'{shown(value)}"


def csv_text(rows: Iterable[Iterable[Any]], lineterminator: str = "\n") -> str:
    """Rows of cells as CSV."""
    text = io.StringIO(newline="")
    csv.writer(text, lineterminator=lineterminator).writerows([*map(cell, row)] for row in rows)
    return text.getvalue()


def csv_table(table: "pandas.DataFrame") -> str:
    """A table as CSV, with a heading."""
    safe = table.rename(columns=cell)
    for place, kind in enumerate(safe.dtypes):
        if kind.kind not in "biufcmM":
            cells: Any = safe.iloc[:, place].map(cell)
            safe.isetitem(place, cells)
    return safe.to_csv(index=False, lineterminator="\n")


def _escaped(found: re.Match[str]) -> str:
    code = ord(found[0])
    byte = code - 0xDC00 if 0xDC80 <= code <= 0xDCFF else code  # a byte of a file name
    return f"\\x{byte:02x}" if byte < 0x100 else f"\\u{byte:04x}"
