"""`rocksteady motion process`: processing steps in the order they are typed."""

import shlex
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.text import Text

import rocksteady as rs
from rocksteady.cli.common.inputs import Json, Quiet, grouped
from rocksteady.cli.common.options import out_option
from rocksteady.cli.common.output import out as output
from rocksteady.cli.common.output import print_files, print_json
from rocksteady.cli.common.progress import Work
from rocksteady.cli.motion.convert import To, suffix_for
from rocksteady.cli.motion.files import ReadOptions, Record, endings, labels, targets
from rocksteady.errors import InputError


@grouped
def process(
    words: Annotated[
        list[str],
        typer.Argument(metavar="FILE... STEP...", help="Records, then steps with their values."),
    ],
    reading: ReadOptions = ReadOptions(),  # noqa: B008  # options, not a value
    out: Annotated[
        str | None,
        out_option("File (.csv, .AT2) or folder; NAME_processed.csv by default.", "FILE|FOLDER"),
    ] = None,
    to: To = "csv",
    as_json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Process motions in steps, in the order typed, and print the command that repeats it.

    \b
    --baseline poly,ORDER            remove a polynomial from the velocity
    --lowpass, --highpass F[,ORDER]  Butterworth, no phase shift; F in Hz
    --bandpass LOW,HIGH[,ORDER]      both
    --taper cosine,START[,END]       fade in and out over so many s
    --taper tukey,PART               or over a part of the length
    --pad BEFORE,AFTER               add still ground, s; ends at rest
    --resample DT                    change the time step, s; no aliasing
    --trim START[,END]               keep only this part, s
    --stretch FACTOR                 stretch the time axis
    --similarity SCALE               for a scale model, as in 0.25
    --scale FACTOR                   scale the accelerations
    --scale-to pga,A                 to a peak, m/s²; or pgv,V in m/s
    --scale-to sa,A,T[,DAMPING]      to a PSA, m/s², at the period T, s
    --scale-to-spectrum FILE,T1,T2   to a spectrum from T1 to T2, s
    --mirror                         reverse the horizontal components
    --floor T1[,DAMPING,STOREYS,LEVEL]  to the motion of a building's floor
    --floor-modes "T:PART[:DAMPING] ..."  the same by the building's modes

    A spectrum file has two columns of numbers, period in s and acceleration
    in m/s², or in the unit of a heading such as T \\[s], Sa \\[g].

    \b
    With two horizontal components (two files, one with two, or --record):
    --rotate ANGLE                   degrees, from the first to the second
    --rotate-to pulse                to the direction of the velocity pulse
    --rotate-to rotd50[,T]           or rotd100, of PSA at the period T, s

    \b
    [cyan]rocksteady motion process in.AT2 --baseline poly,2 --bandpass 0.1,25[/cyan]
    [cyan]rocksteady motion process NS.AT2 EW.AT2 --rotate-to pulse -o rotated/[/cyan]
    """
    from rocksteady.motion.recipe import as_steps

    files, typed = split_words(words)
    steps = as_steps(typed)
    if not steps:
        raise InputError(
            "there is nothing to do: give at least one step, such as --bandpass 0.1,25 or "
            "--baseline poly,2. To write a file unchanged, use rocksteady motion convert."
        )
    suffix = suffix_for(to, out)
    with Work(quiet=quiet or as_json) as work:
        advance = work.on("Reading …")
        records: list[Record] = []
        for done, file in enumerate(files, start=1):
            records += reading.read_one(file)
            advance(done, len(files))
        work.on("Processing …")
        made = _processed(records, steps, reading)
        paths = targets(
            [one.label for one in made], out, suffix, files, [one.ending for one in made]
        )
        outcome = [
            _told(one, rs.write_motion(one.motion, path), path)
            for one, path in zip(made, paths, strict=True)
        ]
    if as_json:
        print_json({"motions": outcome})
    elif not quiet:
        _show(outcome, output())


def split_words(words: Sequence[str]) -> tuple[list[str], list[str]]:
    """The files, and the words of the steps after them."""
    first = next((i for i, word in enumerate(words) if word.startswith("-")), len(words))
    if first == 0:
        raise InputError(
            f"{words[0]} has no file to work on: the files come first, as in rocksteady motion "
            "process record.AT2 --bandpass 0.1,25."
        )
    return list(words[:first]), list(words[first:])


@dataclass(frozen=True)
class Made:
    """A processed motion, and how it was made."""

    label: str
    ending: str
    """What distinguishes its file from those made with it."""
    motion: "rs.Motion"
    origin: list[str]
    """The files and how they are read, as words of a command line."""
    alone: bool
    """Whether a command makes it alone."""


def _processed(records: list[Record], steps: Sequence[Any], reading: ReadOptions) -> list[Made]:
    """Each motion by itself, or two together if a step needs both."""
    from rocksteady.motion.recipe import PAIR_STEPS, process, process_pair

    whole = all(one.motion.transverse is not None for one in records)
    if whole or not any(step.name in PAIR_STEPS for step in steps):
        return [
            Made(f"{label}_processed", end, process(one.motion, steps), origin, True)
            for one, label, end in zip(records, labels(records), endings(records), strict=True)
            for origin in [_origin([one], reading)]
        ]
    if len(records) != 2:
        names = ", ".join(f"{one.file} {one.component or ''}".strip() for one in records)
        raise InputError(
            f"a rotation needs two components, and there are {len(records)}: {names}. Give two "
            "files, choose from one file with --component twice, or join the components of a "
            "station with --record."
        )
    pair = process_pair(records[0].motion, records[1].motion, steps)
    origin = _origin(records, reading)
    return [
        Made(f"{records[0].label}_{end}", end, motion, origin, False)
        for end, motion in zip(("along", "across"), pair, strict=True)
    ]


def _origin(records: list[Record], reading: ReadOptions) -> list[str]:
    """The files and how they are read, as words of a command line."""
    return [*dict.fromkeys(one.file for one in records), *reading.words(records)]


def _told(one: Made, written: list[Path], path: Path) -> dict[str, Any]:
    """A processed motion in numbers, with its files and the command that makes it again."""
    from rocksteady.cli.common.summary import of_motion
    from rocksteady.motion.recipe import command_line

    where = path
    if not one.alone:  # the name without its ending: both are written again
        where = path.with_stem(path.stem.removesuffix(f"_{one.ending}"))
    return {
        **of_motion(one.motion),
        "file": str(path),
        "component": None,
        "files": [str(file) for file in written],
        "command": f"{command_line(one.motion, *one.origin)} --out {shlex.quote(str(where))}",
    }


def _show(done: list[dict[str, Any]], console: Any) -> None:
    from rocksteady.cli.motion.info import facts_table

    console.print(facts_table(done, console.width))
    print_files([file for one in done for file in one["files"]], console)
    for command in dict.fromkeys(one["command"] for one in done):
        console.print(Text.assemble(("  again ", "dim"), command), soft_wrap=True)
