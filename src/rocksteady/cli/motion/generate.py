"""`rocksteady motion generate`: pulses, stochastic motions, motions for a code spectrum."""

from pathlib import Path
from typing import Annotated, Any

import typer
from rich.text import Text

from rocksteady.cli.common.files import keep_sources
from rocksteady.cli.common.inputs import Json, Quiet, grouped
from rocksteady.cli.common.options import out_option, panel
from rocksteady.cli.common.output import out as output
from rocksteady.cli.common.output import print_files, print_json
from rocksteady.cli.common.progress import Work
from rocksteady.cli.motion.convert import To, suffix_for
from rocksteady.cli.motion.files import names_file
from rocksteady.cli.motion.options import CodeOptions, StochasticOptions
from rocksteady.cli.motion.recipes import Made, recipe
from rocksteady.errors import InputError

_option = panel("Options")
_LONG_LIST = 20  # motions; of more, only the lowest, median and highest values are shown


@grouped
def generate(
    what: Annotated[
        str,
        typer.Argument(
            metavar="pulse:…|mavroeidis|rezaeian|ec8", help="What kind of motion to make."
        ),
    ],
    like: Annotated[
        str | None, _option("Fit a mavroeidis pulse, or rezaeian, to a record.", metavar="RECORD")
    ] = None,
    component: Annotated[str | None, _option("Component of that record.")] = None,
    seed: Annotated[int | None, _option("Seed; 0 by default.")] = None,
    count: Annotated[
        int | None, _option("Number of motions, written to a folder.", "--count", "-n")
    ] = None,
    dt: Annotated[float | None, _option("Time step, s; 0.01 by default.")] = None,
    stochastic: StochasticOptions = StochasticOptions(),  # noqa: B008  # options, not a value
    code: CodeOptions = CodeOptions(),  # noqa: B008
    out: Annotated[
        str | None,
        out_option("File (.csv, .AT2) or folder; the current folder by default.", "FILE|FOLDER"),
    ] = None,
    to: To = "csv",
    as_json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Generate motions: pulses, stochastic motions, or artificial motions for Eurocode 8.

    \b
    A pulse, or the pulse in a record:
      [cyan]rocksteady motion generate pulse:sine,a=0.45g,T=0.5 -o sine.csv[/cyan]
      [cyan]rocksteady motion generate mavroeidis --like record.AT2 -o pulse.csv[/cyan]
    Stochastic (Rezaeian and Der Kiureghian): like a record, or 100 at random:
      [cyan]rocksteady motion generate rezaeian --like record.AT2 --seed 1 -o one.csv[/cyan]
      [cyan]rocksteady motion generate rezaeian --sample 100 --seed 1 -o ensemble/[/cyan]
    Three for Eurocode 8, ground type B, checked for a structure of 0.5 s:
      [cyan]rocksteady motion generate ec8 --ag 0.25 --soil B -n 3 --period 0.5 -o ec8/[/cyan]
    """
    suffix = suffix_for(to, out)
    shared = {"like": like, "component": component, "seed": seed, "count": count, "dt": dt}
    plan = recipe(what, {k: v for k, v in shared.items() if v is not None}, stochastic, code)
    if plan.many and names_file(out):
        raise InputError(
            f"--out {out} is one file, but {plan.many} motions are to be written: give a folder, "
            "as in -o ensemble/."
        )
    with Work(quiet=quiet or as_json) as work:
        if plan.fits:
            work.on(f"Fitting to {plan.fits} …")
        made = plan.start()
        rows, files = _written(made, plan.many, out, suffix, like, work)
        notes = made.notes()
    if as_json:
        print_json({"motions": rows, "files": files, **made.about})
    elif not quiet:
        _show(rows, files, notes)


def _written(
    made: Made, many: int, out: str | None, suffix: str, like: str | None, work: Any
) -> tuple[list[dict[str, Any]], list[str]]:
    """Write each motion as soon as it is made, and a table of them if there are many."""
    from rocksteady.cli.motion.files import targets
    from rocksteady.motion.writers import write_motion

    digits = max(4, len(str(many)))
    labels = [f"{made.name}_{i:0{digits}d}" for i in range(1, many + 1)] or [made.name]
    paths = targets(labels, out, suffix, [like] if like else ())
    index = _index_of(paths[0].parent, made.name)
    if many:
        keep_sources([index], [like])
    advance = work.on("Making motions …" if many else "Making the motion …")
    rows, files = list[dict[str, Any]](), list[str]()
    for done, (one, path) in enumerate(zip(made.motions, paths, strict=True), start=1):
        files += [str(file) for file in write_motion(one.motion, path)]
        rows.append({"file": str(path), "component": None, **one.described()})
        advance(done, len(paths))
    if many:
        files.append(_write_index(rows, index))
    return rows, files


def _index_of(folder: Path, name: str) -> Path:
    """Beside the folder, so that the folder holds only motions; in the current folder, named after
    the kind of motion."""
    if folder.resolve() == Path.cwd():
        return Path(f"{name}_table.csv")
    folder = folder if folder.name not in ("", "..") else folder.resolve()
    return folder.with_name(f"{folder.name}_table.csv")


def _write_index(rows: list[dict[str, Any]], path: Path) -> str:
    """A table with a line for each motion: file, how it was made, and measures."""
    from rocksteady.files import write_whole
    from rocksteady.motion.intensity import UNITS
    from rocksteady.names import csv_text

    units = {**UNITS, "dt": "s", "duration": "s", "t_mid": "s", "frequency_mid": "Hz"}
    units |= {"frequency_rate": "Hz/s", "arias_asked": "m/s", "d5_95_asked": "s", "pga_g": "g"}
    units |= {"filter_damping": "-"}
    keys = [key for key in rows[0] if key != "component"]
    table = [[f"{key} [{units[key]}]" if key in units else key for key in keys]]
    for row in rows:
        values = {**row, "file": Path(row["file"]).name}
        table.append([values[key] for key in keys])
    return str(write_whole(path, csv_text(table, "\r\n")))


# -- output ---------------------------------------------------------------------------------------


def _show(rows: list[dict[str, Any]], files: list[str], notes: list[str]) -> None:
    from rocksteady.cli.motion.info import strength_table

    console = output()
    shown = rows if len(rows) <= _LONG_LIST else _spread(rows)
    console.print(strength_table(shown, console.width))
    if len(files) > _LONG_LIST + 1:
        console.print(Text(f"  {len(files) - 1} motions, and their table:", "dim"))
        files = files[-1:]
    print_files(files, console)
    for note in notes:
        console.print(Text(note), soft_wrap=True)


def _spread(rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Lowest, median and highest of each number."""
    import numpy as np

    numbers = [key for key, value in rows[0].items() if isinstance(value, (int, float))]
    spread = []
    for name, level in (("lowest", 0), ("median", 50), ("highest", 100)):
        row: dict[str, Any] = {"file": name, "component": None}
        for key in numbers:
            value = float(np.percentile([one[key] for one in rows], level))
            row[key] = round(value) if isinstance(rows[0][key], int) else value
        spread.append(row)
    return spread
