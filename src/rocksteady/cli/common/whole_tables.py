"""Tables that keep all their columns, however narrow the terminal."""

from __future__ import annotations

from typing import Any

from rich.console import Console
from rich.measure import Measurement
from rich.table import Table


class WholeTables(Console):
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
