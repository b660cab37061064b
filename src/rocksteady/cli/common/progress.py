"""What the program is doing, on the error stream: one line that disappears when it is done."""

import sys
import time
from collections.abc import Callable
from functools import cache
from typing import Any, Self

from rich.progress import BarColumn, Progress, SpinnerColumn, TextColumn, TimeElapsedColumn

from rocksteady.cli.common.output import errors
from rocksteady.ensembles.progress import EVERY

COMPILING = "Compiling for this machine what was not used here before (ten seconds or more) …"


class Work:
    """The work in hand. Without a terminal only what takes long is reported, in plain lines."""

    current: "Work | None" = None  # what shows that the engine compiles

    def __init__(self, *, quiet: bool = False) -> None:
        self.console, self.quiet, self.announced = errors(), quiet, False
        self.compiled = False
        """Whether the engine had to compile something on the way."""
        live = self.console.is_interactive and sys.stderr.isatty() and not quiet
        self.bar = Progress(
            SpinnerColumn(),
            TextColumn("{task.description}", markup=False),
            BarColumn(30, complete_style="cyan", finished_style="cyan", pulse_style="cyan"),
            TimeElapsedColumn(),
            console=self.console,
            transient=True,
            disable=not live,
        )
        self.task = self.bar.add_task("Starting …", total=None)

    def __enter__(self) -> Self:
        follow_engine()
        Work.current = self
        self.bar.start()
        return self

    def __exit__(self, *_: object) -> None:
        Work.current = None
        self.bar.stop()

    def on(self, text: str) -> Callable[[int, int], None]:
        """Say what is being done now; the callable returned takes (parts done, parts in all)."""
        self.bar.remove_task(self.task)
        self.task = self.bar.add_task(text, total=None)

        def advance(done: int, total: int) -> None:
            self.bar.update(self.task, completed=done, total=total)

        self.last_line = time.monotonic()
        return advance

    def progress(self, text: str, done: int, total: int) -> None:
        """Say how far it is: in the bar of a terminal, or else in a line every half minute."""
        self.bar.update(self.task, description=text, completed=done, total=total)
        if self.bar.disable and not self.quiet and time.monotonic() - self.last_line >= EVERY:
            self.last_line = time.monotonic()
            self.console.print(text, soft_wrap=True)

    def compiling(self) -> None:
        self.compiled = True
        self.on(COMPILING)
        if self.bar.disable and not self.quiet and not self.announced:
            self.console.print(COMPILING, soft_wrap=True)
            self.announced = True


@cache
def follow_engine() -> None:
    """Have the engine say when it compiles. It keeps its listeners for ever: ask once."""
    from rocksteady.numerics.cache import on_compile

    def report(driver: str) -> Any:
        if Work.current is not None:
            Work.current.compiling()

    on_compile(report)
