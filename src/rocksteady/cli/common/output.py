"""What a person reads: tables on the output stream, everything else on the error stream."""

import json
import math
import re
import shutil
import sys
from collections.abc import Callable, Iterable, Sequence
from functools import cache
from pathlib import Path
from typing import Any

from rich import box
from rich.console import Console, ConsoleOptions, RenderableType
from rich.measure import Measurement
from rich.segment import Segment
from rich.table import Table
from rich.text import Text

from rocksteady.errors import so_far
from rocksteady.names import shown

STATUS_LOOK = {
    "at rest": "bold green",
    "moving": "bold yellow",
    "overturned": "bold red",
    "collapsed": "bold red",
    "failed": "bold magenta",
}
# Print text unchanged: units in brackets and file names are not markup.
_PLAINLY: dict[str, Any] = {"highlight": False, "markup": False, "emoji": False}


class PlainConsole(Console):
    """A console that shows characters which a terminal would obey, instead of printing them."""

    def render(
        self, renderable: RenderableType, options: ConsoleOptions | None = None
    ) -> Iterable[Segment]:
        for segment in super().render(renderable, options):
            yield segment if segment.control else segment._replace(text=shown(segment.text))


class WholeTables(PlainConsole):
    """A console that shows every column of a table. Rich silently drops columns that do not fit;
    here lines become longer than the terminal is wide, and the terminal wraps them."""

    def print(self, *objects: Any, **options: Any) -> None:
        tables = [each for each in objects if isinstance(each, Table)]
        before, self._width = self._width, max([self.width, *map(self.least_width, tables)])
        try:
            super().print(*objects, **options)
        finally:
            self._width = before

    def least_width(self, table: Table) -> int:
        """Characters that a table needs for all its columns: the full width of those that must not
        wrap, the longest word of the others."""
        unlimited = self.options.update(width=10_000)
        for column in table.columns:
            if column.no_wrap and column.max_width is None:
                cells = [column.header, *column.cells, column.footer]
                widths = [Measurement.get(self, unlimited, cell).maximum for cell in cells]
                column.min_width = max(column.min_width or 0, *widths)
        return Measurement.get(self, unlimited, table).minimum


@cache
def errors() -> Console:
    """The error stream. One for all, so that a warning and a progress bar know of each other."""
    return PlainConsole(stderr=True, **_PLAINLY)


def out() -> WholeTables:
    """The output stream."""
    return WholeTables(**_PLAINLY)


def say(text: str, *, label: str = "", look: str = "") -> None:
    """One line on the error stream, broken only by a terminal."""
    console = errors()
    line = Text.assemble((label, look or "bold red"), (" ".join(text.split()), look))
    console.print(line, soft_wrap=not console.is_terminal)


def spaced(number: float) -> str:
    """1234567 → "1 234 567"."""
    return f"{number:,.0f}".replace(",", " ")


def counted(count: int, what: str) -> str:
    """ "1 file", "12 000 files"."""
    return f"{spaced(count)} {what}{'s' * (count != 1)}"


# -- results ---------------------------------------------------------------------------------------


def report(
    about: dict[str, Any],
    print_tables: Callable[[dict[str, Any]], None],
    *,
    as_json: bool,
    quiet: bool,
) -> None:
    """What came out: JSON for programs, tables for people, or nothing."""
    if as_json:
        print_json(about)
    elif not quiet:
        print_tables(about)


def print_json(values: dict[str, Any]) -> None:
    """One JSON object on the output stream, with all ``warnings`` of this command; numbers that
    are not finite become null."""
    from rocksteady.cli.common.group import in_options

    told = dict.fromkeys([*map(in_options, so_far()), *values.get("warnings", ())])
    print(json.dumps(_finite(values | {"warnings": list(told)}), indent=2, allow_nan=False))


def _finite(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _finite(inner) for key, inner in value.items()}
    if isinstance(value, list):
        return [_finite(inner) for inner in value]
    return None if isinstance(value, float) and not math.isfinite(value) else value


def print_files(files: Iterable[str | Path], console: Console) -> None:
    """A line for each, never broken: paths are there to be copied."""
    for path in files:
        console.print(Text.assemble(("  wrote ", "dim"), (str(path), "bold")), soft_wrap=True)


def print_next(hints: dict[str, str], console: Console) -> None:
    """What to do next: a sentence and the command to type, on one unbroken line."""
    for hint, line in hints.items():
        command = re.sub(r"(^|&& )rocksteady\b", rf"\1{program()}", line)
        console.print(Text.assemble(f"\n{hint}\n  ", (command, "cyan")), soft_wrap=True)


def program() -> str:
    """What to type: after `make demo` the command is not on the PATH."""
    called = Path(sys.argv[0])
    known = called.name != "rocksteady" or shutil.which("rocksteady")
    return "rocksteady" if known else str(called)


# -- tables ----------------------------------------------------------------------------------------


def box_table() -> Table:
    """A box for rows of a label and a value."""
    table = Table(box=box.ROUNDED, show_header=False, padding=(0, 1), border_style="dim")
    table.add_column(no_wrap=True)
    table.add_column()
    return table


def headed_table(left: Sequence[str], right: Sequence[str] = (), **look: Any) -> Table:
    """Columns of words, then columns of numbers, under their headings."""
    table = Table(box=box.SIMPLE_HEAD, border_style="dim", **look)
    for heading in left:
        table.add_column(Text(heading), no_wrap=True)
    for heading in right:
        table.add_column(Text(heading), justify="right", no_wrap=True)
    return table


def gauge(share: float, look: str, console: Console, width: int) -> Text:
    """A bar of ``width`` characters, filled to ``share``."""
    full, empty = "#." if console.options.ascii_only else "█░"
    filled = round(width * share)
    return Text.assemble((full * filled, look), (empty * (width - filled), "dim"))
