"""What `rocksteady ensemble` reports while it works: its runs, its progress, what was left out."""

import time
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from rich.console import Console
from rich.text import Text

from rocksteady.cli.common.output import counted
from rocksteady.cli.common.progress import Work
from rocksteady.ensembles.progress import in_words, spaced, span

if TYPE_CHECKING:
    from rocksteady.ensembles.study_file import ReadStudy

FRAME = 0.1  # s between two updates of a bar
MOST_SKIPPED = 20  # files that are listed with their reasons


class PreparationProgress:
    """How much was read or made before the first run.

    It is called for every motion, and there may be hundreds of thousands."""

    def __init__(self, work: Work) -> None:
        self.work, self.what = work, ""
        self.started = self.shown = time.monotonic()

    def __call__(self, what: str, done: int, total: int) -> None:
        now = time.monotonic()
        if what != self.what:
            self.what, self.started = what, now
            self.work.on(f"{what} …")
        elif now - self.shown < FRAME and done < total:
            return
        self.shown = now
        rate = done / (now - self.started) if now > self.started and done > 1 else 0.0
        left = f", {span((total - done) / rate)} left" if rate else ""
        self.work.progress(f"{what}: {spaced(done)} of {spaced(total)}{left}", done, total)


class RunProgress:
    """Runs done, rate and time left."""

    def __init__(self, work: Work) -> None:
        self.work = work
        self.first: int | None = None
        self.made = 0
        """Runs of this session."""

    def __call__(self, done: int, total: int) -> None:
        if self.first is None:
            self.first, self.words = done, in_words(done)
            if done and not self.work.quiet:
                text = f"{spaced(done)} of {spaced(total)} runs were there already."
                self.work.console.print(Text(text, "dim"))
            self.work.on("Running …")
        self.made = done - self.first
        self.work.progress(self.words(done, total), done, total)


def print_study(read: "ReadStudy", console: Console) -> None:
    """One line before it begins."""
    study = read.study
    axes = (study.systems, "system"), (study.motions, "motion"), (study.scales, "scale")
    sizes = " × ".join(counted(len(axis), name) for axis, name in axes)
    paired = ", paired" if study.paired else ""
    text = f"{sizes}{paired}: {counted(len(study), 'run')} by {study.formulation.name}"
    console.print(Text(text, "dim"), soft_wrap=True)


def print_skipped(skipped: Mapping[str, str], console: Console) -> None:
    """Which files were not read, with the reasons."""
    if not skipped:
        return
    text = f"{counted(len(skipped), 'file')} could not be read and "
    console.print(Text(f"{text}{'were' if len(skipped) != 1 else 'was'} skipped:", "yellow"))
    for name, reason in list(skipped.items())[:MOST_SKIPPED]:
        why = reason.removeprefix(f"{Path(name).name}: ").split(". ")[0].rstrip(".")
        console.print(Text(f"  {name}: {why}."), soft_wrap=not console.is_terminal)
    if len(skipped) > MOST_SKIPPED:
        more = spaced(len(skipped) - MOST_SKIPPED)
        console.print(Text(f"  … and {more} more: --json lists all.", "dim"), soft_wrap=True)
