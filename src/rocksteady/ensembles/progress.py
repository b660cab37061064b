"""Progress: a bar with rate and time left in a terminal, a line now and then elsewhere."""

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

Progress = Callable[[int, int], Any]
EVERY = 30.0  # s between two lines where there is no terminal


@contextmanager
def shown(progress: bool | Progress, total: int, already: int = 0) -> Iterator[Progress]:
    """Something to call with (runs done, all runs). ``already``: done before this began."""
    if callable(progress):
        yield progress
    elif progress and sys.stderr.isatty():
        with _bar(total, already) as report:
            yield report
    else:
        yield lambda done, total: None


def part_of(progress: bool | Progress, part: int, parts: int) -> bool | Progress:
    """The progress of one of several studies of equal length, as progress of them all."""
    if not callable(progress):
        return progress
    return lambda done, total: progress(part * total + done, parts * total)


@contextmanager
def _bar(total: int, already: int) -> Iterator[Progress]:
    from rich.console import Console
    from rich.progress import BarColumn, Progress, SpinnerColumn, TextColumn

    bar = Progress(
        SpinnerColumn(),
        TextColumn("{task.description}"),
        BarColumn(30, complete_style="cyan", finished_style="cyan"),
        TextColumn("{task.percentage:>3.0f} %"),
        console=Console(stderr=True, highlight=False),
        transient=True,
    )
    words = in_words(already)
    with bar:
        task = bar.add_task(words(already, total), total=total, completed=already)
        yield lambda done, total: bar.update(task, completed=done, description=words(done, total))


def in_words(already: int = 0) -> Callable[[int, int], str]:
    """ "1 200 000 of 5 000 000 runs, 35 000/s, 2 min left", by the rate since this was called."""
    start = time.monotonic()

    def words(done: int, total: int) -> str:
        text = f"{spaced(done)} of {spaced(total)} runs"
        passed, made = time.monotonic() - start, done - already
        if made > 0 and passed > 0:
            rate = made / passed
            text += f", {spaced(significant(rate))}/s, {span((total - done) / rate)} left"
        return text

    return words


def spaced(number: float) -> str:
    """1234567 → "1 234 567"; what is not whole as it is."""
    return f"{number:,.0f}".replace(",", " ") if number == int(number) else f"{number:.3g}"


def significant(value: float) -> float:
    """To three digits."""
    return float(f"{value:.3g}")


def span(seconds: float) -> str:
    """A time as one says it: "45 s", "12 min", "3 h 20 min"."""
    if seconds < 90:
        return f"{seconds:.0f} s"
    minutes = round(seconds / 60)
    if minutes < 90:
        return f"{minutes} min"
    return f"{minutes // 60} h {minutes % 60} min"
