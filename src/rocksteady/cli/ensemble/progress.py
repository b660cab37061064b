"""What `rocksteady ensemble` reports while it works: its runs, its progress, what was left out."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from rich.console import Console
from rich.text import Text

from rocksteady.cli.common.output import say
from rocksteady.cli.common.progress import Work
from rocksteady.ensembles.progress import EVERY, in_words, lines, spaced, span

if TYPE_CHECKING:
    from rocksteady.ensembles.study_file import ReadStudy

FRAME = 0.1  # s between two updates of a bar
MOST_SKIPPED = 20  # files that are listed with their reasons
_QUIET = "dim"


class PreparationProgress:
    """What is read or made before the first run: in the bar of a terminal, or a line now and then.

    It is called for every motion, and there may be hundreds of thousands."""

    def __init__(self, work: Work) -> None:
        self.work, self.what = work, ""
        self.started = self.shown = self.line = time.monotonic()

    def __call__(self, what: str, done: int, total: int) -> None:
        now = time.monotonic()
        if what != self.what:
            self.what, self.started, self.line = what, now, now
            self.work.on(f"{what} …")
        elif now - self.shown < FRAME and done < total:
            return
        self.shown = now
        rate = done / (now - self.started) if now > self.started and done > 1 else 0.0
        left = f", {span((total - done) / rate)} left" if rate else ""
        words = f"{what}: {spaced(done)} of {spaced(total)}{left}"
        self.work.bar.update(self.work.task, description=words, completed=done, total=total)
        if self.work.bar.disable and not self.work.quiet and now - self.line >= EVERY:
            self.line = now
            self.work.console.print(words, soft_wrap=True)


class RunProgress:
    """Runs done, rate and time left: in the bar of a terminal, or a line now and then."""

    def __init__(self, work: Work, quiet: bool) -> None:
        self.work, self.quiet = work, quiet
        self.first: int | None = None
        self.made = 0
        """Runs of this session."""

    def __call__(self, done: int, total: int) -> None:
        if self.first is None:
            self.first = done
            self.words = in_words(done)
            self.line = lines(lambda text: self.work.console.print(text), done)
            if done and not self.quiet:
                text = f"{spaced(done)} of {spaced(total)} runs were there already."
                self.work.console.print(Text(text, _QUIET))
            self.work.on("Running …")
        self.made = done - self.first
        bar, words = self.work.bar, self.words(done, total)
        bar.update(self.work.task, description=words, completed=done, total=total)
        if self.work.bar.disable and not self.quiet:
            self.line(done, total)


def say_what(read: ReadStudy, console: Console) -> None:
    """One line before it begins."""
    study = read.study
    counts = (
        (len(study.systems), "system"),
        (len(study.motions), "motion"),
        (len(study.scales), "scale"),
    )
    axes = " × ".join(f"{spaced(n)} {name}{'s' * (n != 1)}" for n, name in counts)
    paired = ", paired" if study.paired else ""
    runs = f"{spaced(len(study))} run{'s' * (len(study) != 1)}"
    text = f"{axes}{paired}: {runs} by {study.formulation.name}"
    console.print(Text(text, _QUIET), soft_wrap=True)


def say_what_was_left_out(
    skipped: Mapping[str, str], verticals: Sequence[str], console: Console
) -> None:
    """Which files were not read, with the reasons, and how many vertical components there were."""
    if verticals:
        text = f"{spaced(len(verticals))} vertical component{'s' * (len(verticals) != 1)} left out"
        console.print(Text(text, _QUIET), soft_wrap=True)
    if not skipped:
        return
    text = f"{spaced(len(skipped))} file{'s' * (len(skipped) != 1)} could not be read and "
    console.print(Text(f"{text}{'were' if len(skipped) != 1 else 'was'} skipped:", "yellow"))
    for name, reason in list(skipped.items())[:MOST_SKIPPED]:
        why = reason.removeprefix(f"{Path(name).name}: ").split(". ")[0].rstrip(".")
        console.print(Text(f"  {name}: {why}."), soft_wrap=not console.is_terminal)
    if len(skipped) > MOST_SKIPPED:
        more = spaced(len(skipped) - MOST_SKIPPED)
        console.print(Text(f"  … and {more} more: --json lists all.", _QUIET), soft_wrap=True)


def say_nothing_was_run() -> None:
    say("The study was still being read: nothing was run.", look="yellow")
