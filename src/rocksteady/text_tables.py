"""Read text tables with any decimal sign, thousands separator and column separator.

Motions, portfolios, studies, tests and spectra are all read through this module. A spreadsheet in
Italy, Germany or France writes ``0,01;-1.234,5`` where another one writes ``0.01,-1234.5``. All
numbers of a file together decide which it is. If they fit both (``1,234`` alone), an error asks for
a line ``# decimal: comma`` (or ``point``) in the file.
"""

import codecs
import csv
import io
import re
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from rocksteady.digests import KEY
from rocksteady.errors import InputError
from rocksteady.marks import check_parquet, warn_if_changed

if TYPE_CHECKING:
    import pandas

POINT, COMMA = ".", ","
DECIMALS = {"comma": COMMA, "point": POINT, COMMA: COMMA, POINT: POINT}
"""The allowed values of ``decimal`` and the sign each means."""

_EXPONENT = r"(?:[eEdD][-+]?\d+)?"
_WITH_POINT = re.compile(
    rf"[-+]?(?:(?:\d+|[1-9]\d{{0,2}}(?:,\d{{3}})+)(?:\.\d*)?|\.\d+){_EXPONENT}", re.ASCII
)
_WITH_COMMA = re.compile(
    rf"[-+]?(?:(?:\d+|[1-9]\d{{0,2}}(?:\.\d{{3}})+)(?:,\d+)?|,\d+){_EXPONENT}", re.ASCII
)
# Nobody writes these into a column: 012, -0, 52E-3.
_NO_INTEGER = re.compile(r"[-+]?0\d+|-0|[-+]?\d{2,}[eE][-+]?\d+", re.ASCII)
_GAP = re.compile("(?<=\\d)[ \u00a0\u202f\u2009'\u2019](?=\\d{3}(?!\\d))")  # 1 234 567, 1'234'567
_STATED = re.compile(r"[#%!/]*\s*decimal(?:\s+sign)?\s*[:=]\s*(comma|point|[.,])\W*", re.I)
_SEPARATOR = re.compile(r"sep=(.)", re.I)  # first line of an Excel export
_ENOUGH = 200  # rows from which the separator is determined, if possible


class Style(NamedTuple):
    """How the numbers of a table are written."""

    separator: str | None
    """``,``, ``;`` or a tab; None for blanks."""
    decimal: str = POINT


class UnclearNumbersError(InputError):
    """Numbers that contradict each other, or that can be read in two ways."""

    def __init__(self, why: str, asks: bool = False) -> None:
        advice = 'add a line "# decimal: comma" or "# decimal: point" above the numbers'
        super().__init__(f"{why}: {advice}." if asks else f"{why}.")
        self.why, self.asks = why, asks


# -- bytes ----------------------------------------------------------------------------------------


def decoded(raw: bytes) -> str:
    """Text in UTF-8, UTF-16 or Latin-1, whatever it begins with; lines end in a plain newline."""
    text = raw.decode(encoding_of(raw), errors="replace").removeprefix("\ufeff")
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    return text.rstrip("\x1a\n") + "\n" if text.rstrip("\n").endswith("\x1a") else text  # DOS


def encoding_of(raw: bytes) -> str:
    """The encoding of a text, from its byte order mark, from the zeros of UTF-16, or by trial."""
    if raw.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        return "utf-16"
    found = _unmarked_utf16(raw[:512])
    if found:
        return found
    try:
        raw.decode("utf-8")
    except UnicodeDecodeError:
        return "latin-1"
    return "utf-8"


def _unmarked_utf16(head: bytes) -> str | None:
    """UTF-16 without a byte order mark: every second byte is zero, and the rest is text."""
    half = len(head) // 2
    for encoding, first in (("utf-16-le", 1), ("utf-16-be", 0)):
        if half >= 4 and head[first::2].count(0) > 0.9 * half and not head[1 - first :: 2].count(0):
            text = head[: 2 * half].decode(encoding, errors="replace")
            if all(c.isprintable() or c.isspace() for c in text):
                return encoding
    return None


# -- style ----------------------------------------------------------------------------------------


def stated_decimal(lines: Iterable[str]) -> str | None:
    """The decimal sign that a line such as ``# decimal: comma`` states."""
    for line in lines:
        match = _STATED.fullmatch(line.strip())
        if match:
            return DECIMALS[match[1].lower()]
    return None


def checked_decimal(value: object) -> str:
    """The decimal sign that ``value`` means; an error if it means none."""
    if not isinstance(value, str) or value.lower() not in DECIMALS:
        raise InputError(f"decimal = {value!r} is not a decimal sign: give 'comma' or 'point'.")
    return DECIMALS[value.lower()]


def style_of(
    rows: Sequence[str],
    decimal: str | None = None,
    names: Callable[[int, str], bool] = lambda count, separator: False,
    separator: str | None = None,
) -> Style:
    """How the numbers in ``rows`` are written; UnclearNumbersError if they fit two ways.

    Cells that are not numbers do not count. ``decimal`` and ``separator`` are given by the file or
    the user. ``names(count, separator)`` returns whether a heading has this many columns.
    """
    separator = separator or next((mark for mark in (";", "\t") if _between(mark, rows)), None)
    if separator is None and any(COMMA in row for row in rows):
        separator, decimal = _among_commas(rows, decimal, names)
    return Style(separator, _decimal(rows, separator, decimal))


def _between(mark: str, rows: Sequence[str]) -> bool:
    """Whether ``mark`` separates columns: the first row has it between other characters."""
    return bool(rows) and any(mark in row.strip() for row in rows[:2])


def cells(row: str, separator: str | None) -> list[str]:
    """The cells of a row, without blanks and quotation marks around them."""
    if separator is None:
        return row.split()
    if '"' in row:
        try:
            parts = next(csv.reader([row], delimiter=separator, skipinitialspace=True), [])
        except csv.Error:
            parts = row.split(separator)
    else:
        parts = row.split(separator)
    return [part.strip() for part in parts]


def plain(cell: str, decimal: str) -> str:
    """A number with a decimal point and without thousands; any other cell as it is."""
    bare = _GAP.sub("", cell)
    if decimal == COMMA:
        if _WITH_COMMA.fullmatch(bare):
            return bare.replace(".", "").replace(",", ".")
        return cell
    return bare.replace(",", "") if _WITH_POINT.fullmatch(bare) else cell


def _readings(cell: str) -> str:
    """The decimal signs, of ``.`` and ``,``, with which ``cell`` is a number."""
    bare = _GAP.sub("", cell)
    ways = POINT if _WITH_POINT.fullmatch(bare) else ""
    return ways + (COMMA if _WITH_COMMA.fullmatch(bare) else "")


def _decimal(rows: Sequence[str], separator: str | None, decimal: str | None) -> str:
    """The decimal sign of all cells together."""
    commas = any(COMMA in row for row in rows)
    quoted = commas and any('"' in row for row in rows)
    if decimal is None and (
        (separator == COMMA and not quoted) or not (commas or separator == ";")
    ):
        return POINT
    found: dict[str, str] = {}  # for each decimal sign, the first number that needs it
    either = ""
    for cell in (cell for row in rows for cell in cells(row, separator)):
        if COMMA not in cell and POINT not in cell:
            continue
        ways = _readings(cell)
        if len(ways) == 1:
            found.setdefault(ways, cell)
            if decimal is None and not commas:
                return ways
        elif ways and (COMMA in cell or separator == ";"):
            either = either or cell
    if decimal is not None:
        wrong = next((cell for sign, cell in found.items() if sign != decimal), None)
        if wrong is not None:
            sign = "comma" if decimal == COMMA else "point"
            raise UnclearNumbersError(f"{wrong!r} is not a number with a decimal {sign}")
        return decimal
    if len(found) == 2:
        raise UnclearNumbersError(
            f"some numbers have a decimal point ({found[POINT]!r}) and others a decimal comma "
            f"({found[COMMA]!r}): write all in one way"
        )
    if either and not found:
        raise UnclearNumbersError(_question(either), asks=True)
    return next(iter(found), POINT)


def _question(cell: str) -> str:
    bare = _GAP.sub("", cell)
    ways = sorted({float(plain(bare, sign).lower().replace("d", "e")) for sign in (POINT, COMMA)})
    return f"{cell!r} can be {ways[-1]:.10g} or {ways[0]:.10g}, and no other number shows which"


def _among_commas(
    rows: Sequence[str], decimal: str | None, names: Callable[[int, str], bool]
) -> tuple[str | None, str | None]:
    """Separator and decimal sign, if settled, of rows with commas but no semicolons or tabs."""
    if any('"' in row for row in rows):
        return COMMA, decimal
    apart = _Commas(rows[:_ENOUGH])
    if apart.separate and apart.decimal and len(rows) > _ENOUGH:
        apart = _Commas(rows)
    if not apart.decimal:  # nearly all files
        return COMMA, decimal
    if decimal == COMMA:
        return None, COMMA
    if decimal == POINT:
        return (COMMA if apart.separate else None), POINT
    if apart.numbers and names(apart.width, COMMA):
        return COMMA, POINT
    if not apart.separate:
        return None, None
    if apart.no_integer or names(1, COMMA):
        return None, COMMA
    row = next(row.strip() for row in rows if COMMA in row)
    raise UnclearNumbersError(
        f"{row[:40]!r} can be {apart.width} columns (then the decimal sign is a point) or one "
        "number with a decimal comma, and nothing else shows which",
        asks=True,
    )


class _Commas:
    """The possible meanings of the commas in some rows."""

    def __init__(self, rows: Sequence[str]) -> None:
        fields = [row.strip().rstrip(COMMA).split(COMMA) for row in rows]
        self.width = max(map(len, fields))
        parts = [part.strip() for row in fields for part in row]
        self.numbers = all(_WITH_POINT.fullmatch(part) for part in parts)
        """All parts between them are numbers."""
        self.separate = self.numbers and len({len(row) for row in fields}) == 1
        """They can separate columns: each row has the same number."""
        self.decimal = all(COMMA in _readings(word) for row in rows for word in row.split())
        """They can be decimal commas between blanks."""
        self.no_integer = any(_NO_INTEGER.fullmatch(part) for part in parts)
        """A part between commas is not written like an integer, so they do not separate."""


# -- whole tables ---------------------------------------------------------------------------------


def read_table_file(path: Path, what: str = "a table") -> "pandas.DataFrame":
    """A table from a ``.parquet`` or text file; an error says ``what`` it should be."""
    import pandas

    if not path.is_file():
        raise InputError(f"There is no file {path}.")
    columnar = path.suffix.lower() == ".parquet"
    if columnar:
        check_parquet()
    try:
        if columnar:
            warn_if_changed(path.read_bytes(), path.name, KEY.encode())
        return pandas.read_parquet(path, engine="pyarrow") if columnar else read_table(path)
    except Exception as error:  # of a damaged Parquet file nearly any
        why = str(error).rstrip(".")
        raise InputError(f"{path} cannot be read as {what}: {why}.") from error


def read_table(path: str | Path) -> "pandas.DataFrame":
    """A text table with a heading, as pandas would read it with decimal points.

    Comments (after ``#``) and blank lines are skipped. Errors are InputError, without the file's
    name, or errors of pandas.
    """
    import pandas

    rows = read_rows(path, names_first=True)
    while rows and rows[0] and not rows[0][-1] and all(not row[-1] for row in rows if row):
        rows = [row[:-1] for row in rows]  # every line ends with a separator
    text = io.StringIO(newline="")
    csv.writer(text, lineterminator="\n").writerows(rows)
    text.seek(0)
    return pandas.read_csv(text, skipinitialspace=True)


def read_rows(path: str | Path, *, names_first: bool = False) -> list[list[str]]:
    """The cells of a table, row by row, numbers with decimal points.

    ``names_first``: the first row holds as many names as there are columns.
    """
    lines = decoded(Path(path).read_bytes()).split("\n")
    stated = stated_decimal(lines[:50])
    rows = [row for row in (line.partition("#")[0] for line in lines) if row.strip()]
    separator = None
    if rows and (match := _SEPARATOR.fullmatch(rows[0].strip())):
        separator, rows = match[1], rows[1:]
    if not rows:
        return []
    first = rows[0]
    heading = names_first or any(
        not _readings(cell) for cell in re.split(r"[;,\s]+", first) if cell
    )
    body = rows[1:] if heading else rows
    if heading and separator is None:
        separator = next((mark for mark in (";", "\t", COMMA) if mark in first), None)
    style = style_of(body, stated, partial(_names, first if heading else ""), separator)
    if style.separator is None:  # a unit belongs to its name
        rows[0] = re.sub(r"\s+(?=[\[(])", "", first)
    return [[plain(cell, style.decimal) for cell in cells(row, style.separator)] for row in rows]


def _names(heading: str, count: int, separator: str) -> bool:
    return len(cells(heading, separator)) == count if heading else False
