"""`rocksteady assembly limit` and `push`: at which load an assembly collapses, and how."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Annotated, Any

from rocksteady.cli.assembly.inputs import StonesOptions, in_options
from rocksteady.cli.common.files import FIGURES
from rocksteady.cli.common.inputs import Json, Quiet, grouped
from rocksteady.cli.common.options import out_option, panel
from rocksteady.errors import InputError

_load = panel("The load")
Direction = Annotated[
    str,
    _load(
        "Where every stone is pushed, by λ times its weight: right, left, up, down, or x and y "
        "of an arrow of any length, such as 1,0.5.",
        metavar="right|left|X,Y",
    ),
]
NoSliding = Annotated[bool, _load("Leave sliding out: friction without limit.", "--no-sliding")]
DIRECTIONS = {"right": (1.0, 0.0), "left": (-1.0, 0.0), "up": (0.0, 1.0), "down": (0.0, -1.0)}


@grouped
def limit(
    stones: StonesOptions,
    direction: Direction = "right",
    no_sliding: NoSliding = False,
    estimate: Annotated[
        bool,
        _load("Also estimate λ for joints that slide without lifting, with a range.", "--estimate"),
    ] = False,
    dynamic: Annotated[
        bool,
        _load(
            "Also simulate the push: the load rises in 1 s, is held for 2 s, and λ is bisected. "
            "Takes seconds, for walls minutes.",
            "--dynamic",
        ),
    ] = False,
    out: Annotated[
        list[str] | None, out_option("The mechanism drawn: .png .svg .pdf.", "FILE")
    ] = None,
    as_json: Json = False,
    quiet: Quiet = False,
) -> None:
    """At which share of its weight, pushed sideways, it collapses, and in which mechanism.

    \b
    [cyan]rocksteady assembly limit arch.json -o mechanism.png[/cyan]
    To the left, with an estimate and a simulated push beside it:
      [cyan]rocksteady assembly limit wall.json --direction left --estimate --dynamic[/cyan]

    λ is exact for rigid stones where no joint slides. Where joints slide it is
    an upper bound: stones that slide are taken to lift as well (associated).
    --estimate and --dynamic let them slide without lifting.
    """
    from rocksteady.analysis.limit_analysis import dynamic_push, limit_load
    from rocksteady.cli.assembly.tables import of_limit, print_limit
    from rocksteady.cli.common.files import planned
    from rocksteady.cli.common.output import report
    from rocksteady.cli.common.progress import Work

    files = planned(out, {"figure": FIGURES}, ("mechanism.png",), sources=[stones.file])
    if no_sliding and (estimate or dynamic):
        other, what = ("estimate", "estimate") if estimate else ("dynamic", "simulated push")
        raise InputError(
            f"--{other} and --no-sliding were both given: the {what} is for joints that slide. "
            "Give one of them."
        )
    assembly, towards = stones.build(), _direction(direction)
    with Work(quiet=quiet or as_json) as work, in_options():
        work.on("Finding the collapse load …")
        found = limit_load(assembly, towards, sliding=not no_sliding)
        told = pushed = None
        if estimate:
            work.on("Estimating it without dilatancy …")
            told = limit_load(assembly, towards, friction_rule="estimate")
        if dynamic and math.isfinite(found.multiplier):
            pushed = dynamic_push(assembly, towards, tell=lambda what: work.on(f"{what} …"))
        for path in files:
            work.on(f"Writing {path.name} …")
            found.plot(path)
    about = of_limit(found, told, pushed, files) | {"direction": pushed_where(direction)}
    report(about, print_limit, as_json=as_json, quiet=quiet)


@grouped
def push(
    stones: StonesOptions,
    direction: Direction = "right",
    no_sliding: NoSliding = False,
    control: Annotated[
        str | None,
        _load(
            "The stone whose displacement is prescribed; the one that moves most.", metavar="STONE"
        ),
    ] = None,
    points: Annotated[int, _load("Points of the curve, about.", min=5)] = 40,
    out: Annotated[
        list[str] | None, out_option("Figure (.png .svg .pdf) or the curve (.csv); repeatable.")
    ] = None,
    as_json: Json = False,
    quiet: Quiet = False,
) -> None:
    """The capacity curve: how the load falls while its mechanism is displaced.

    \b
    [cyan]rocksteady assembly push column.json -o capacity.png -o capacity.csv[/cyan]

    Displacement is prescribed, so the falling branch (negative stiffness) is
    followed to where it no longer stands by itself, as codes ask.
    """
    from rocksteady.analysis.limit_analysis import capacity_curve
    from rocksteady.cli.assembly.tables import of_push, print_push
    from rocksteady.cli.common.files import planned
    from rocksteady.cli.common.output import report
    from rocksteady.cli.common.progress import Work

    kinds, folder = {"figure": FIGURES, "the curve": (".csv",)}, ("capacity.png", "capacity.csv")
    files = planned(out, kinds, folder, sources=[stones.file])
    assembly, towards = stones.build(), _direction(direction)
    with Work(quiet=quiet or as_json) as work, in_options():
        work.on("Pushing it …")
        found = capacity_curve(
            assembly, towards, control=control, sliding=not no_sliding, steps=points
        )
        for path in files:
            work.on(f"Writing {path.name} …")
            if path.suffix in FIGURES:
                found.plot(path)
            else:
                write_capacity(found, path)
    report(of_push(found, files), print_push, as_json=as_json, quiet=quiet)


def write_capacity(found: Any, path: Path) -> None:
    """The curve as a table."""
    from rocksteady.files import write_whole

    lines = ["displacement [m],multiplier [-],joints carry it [-]"]
    rows = zip(found.displacement, found.multiplier, found.exact, strict=True)
    lines += [f"{d:.10g},{load:.10g},{int(exact)}" for d, load, exact in rows]
    write_whole(path, "\n".join(lines) + "\n")


def pushed_where(direction: str) -> str:
    """A direction that was typed, in words."""
    word = direction.strip().lower()
    if word not in DIRECTIONS:
        return f"along ({direction})"
    return f"to the {word}" if word in ("right", "left") else f"{word}wards"


def _direction(text: str) -> tuple[float, float]:
    if text.strip().lower() in DIRECTIONS:
        return DIRECTIONS[text.strip().lower()]
    try:
        x, y = (float(word) for word in text.split(","))
    except ValueError:
        raise InputError(
            f"--direction {text} is not a direction: give right, left, up, down, or x and y as in "
            "--direction 1,0.5."
        ) from None
    return x, y
