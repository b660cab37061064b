"""`rocksteady compare`: one body, one motion, every formulation; space beside planes."""

from typing import Annotated, Any

from rich.text import Text

import rocksteady as rs
from rocksteady.cli.common.bodies import BodyOptions, LeanOptions
from rocksteady.cli.common.files import check_figure
from rocksteady.cli.common.floor import FloorOptions, on_floor
from rocksteady.cli.common.inputs import FigureFile, Json, Quiet, Until, end_of_run, grouped
from rocksteady.cli.common.options import new_app
from rocksteady.cli.common.output import STATUS_LOOK, headed_table, print_files, report
from rocksteady.cli.common.output import out as output
from rocksteady.cli.common.progress import Work
from rocksteady.cli.common.shaking import MotionOptions
from rocksteady.cli.common.theory import TheoryOptions, theory
from rocksteady.errors import InputError

app = new_app()


@app.command()
@grouped
def compare(
    block: BodyOptions,
    motion: MotionOptions,
    start: LeanOptions,
    floor: FloorOptions,
    eta: Annotated[
        float | None,
        theory(
            "Angular velocity after over before an impact, where a theory takes one; "
            "its own unless given."
        ),
    ] = None,
    friction: Annotated[
        float | None, theory("Coulomb's coefficient, for theories that can slide.")
    ] = None,
    until: Until = "rest",
    out: FigureFile = None,
    as_json: Json = False,
    quiet: Quiet = False,
) -> None:
    """The same body under the same motion in every formulation that applies.

    \b
    A column under a pulse; -o all.png draws the histories on top of each other:
      [cyan]rocksteady compare --height 4.2 --width 0.6 -m pulse:sine,a=0.21g,T=0.8[/cyan]
    Free rocking from half of the balance angle:
      [cyan]rocksteady compare --height 4.2 --width 0.6 --theta0 0.5a --until 10[/cyan]
    A body in space beside its shadows in vertical planes: is a plane enough?
      [cyan]rocksteady compare --base 0.45x0.60 --height 1.8 -m KJM000.AT2[/cyan]
    """
    files = check_figure(out, sources=[*motion.sources, block.scan])
    if eta is not None and not 0 < eta <= 1:
        raise InputError(
            f"--eta {eta:g} is not allowed: it must lie in (0, 1]. Leave it out, and each theory "
            "loses what it does by itself."
        )
    body = block.build()
    begin: dict[str, Any] = start.build(body)
    start.check_moves(body, motion)
    with Work(quiet=quiet) as work:
        place = floor.build()
        ground = motion.build(body, TheoryOptions().build(body))
        end = end_of_run(until, ground)
        work.on("Shaking it in every formulation …")
        comparison = rs.compare(
            body, on_floor(place, ground), **begin, until=end, eta=eta, friction=friction
        )
        if out is not None:
            work.on(f"Writing {out.name} …")
            comparison.plot(out)
    about = {
        "block": body.label,
        "floor": None if place is None else str(place),
        "rows": comparison.rows(),
        "sentences": comparison.sentences,
        "files": files,
    }
    title = _title(body.label, ground, place)
    report(about, lambda about: _print(about, title), as_json=as_json, quiet=quiet)


APART = 0.1  # of a peak: theories that differ by more are named
_NUMBERS = ("peak\n|θ|/α", "minus\nthe first", "\nimpacts", "{way}\n[mm]", "\nstatus", "took\n[ms]")


def _print(about: dict[str, Any], title: str) -> None:
    console = output()
    console.print(title, soft_wrap=True)
    console.print(_table(about["rows"]))
    for sentence in [*_findings(about["rows"], bool(about["sentences"])), *about["sentences"]]:
        console.print(sentence)
    print_files(about["files"], console)


def _title(block: str, motion: "rs.Motion | None", floor: "rs.Floor | None" = None) -> str:
    """What was shaken by what."""
    if motion is None:
        return f"{block}, rocking freely"
    from rocksteady.motion.units import GRAVITY_UNIT

    where = "" if floor is None else f" of the ground, on the {floor}"
    pga = motion.pga / GRAVITY_UNIT
    return f"{block} under {motion.name or 'a motion'}, PGA {pga:.3g} g{where}"


def _findings(rows: list[dict[str, Any]], planes: bool) -> list[str]:
    """What the table shows and what it does not, in sentences."""
    from rocksteady.analysis.compare import fall_means

    ran = [row for row in rows if "reason" not in row]
    fallen = [row for row in ran if row["fell_at"] is not None]
    found = [f"{means} After a fall a peak means nothing." for means in fall_means(ran)]
    if 0 < len(fallen) < len(ran) and not planes:
        found.append(
            f"It falls in {len(fallen)} of {len(ran)} formulations: one run cannot decide here. "
            "Run many motions (rocksteady ensemble) and compare the shares that fall."
        )
    stand = [row for row in ran if row["fell_at"] is None and row.get("peak_difference")]
    apart = [row for row in stand if abs(row["peak_difference"]) > APART * row["peak"]]
    if apart and not planes:
        names = " and ".join(row["formulation"] for row in apart)
        found.append(
            f"{names} {'differs' if len(apart) == 1 else 'differ'} from the first by more than "
            f"{100 * APART:g} % of the peak: here the answer depends on the theory. docs/limits.md "
            "says what each theory should not be used for."
        )
    return found


def _table(rows: list[dict[str, Any]]) -> Any:
    from rocksteady.analysis.compare import peak_or_fall, way_in_mm, way_name

    way = way_name(rows)
    heads = [head.format(way=way) for head in _NUMBERS]
    table = headed_table(["\nformulation"], heads, padding=(0, 0, 0, 1), pad_edge=False)
    reasons = []
    for row in rows:
        name, differs = row["formulation"], row.get("peak_difference")
        if "reason" in row:
            table.add_row(name, *[Text("–", "dim")] * len(_NUMBERS))
            reasons.append(f"{name} does not apply: {row['reason']}")
            continue
        table.add_row(
            name,
            peak_or_fall(row),
            "–" if differs is None else f"{differs:+.1e}",
            str(row["impacts"]),
            way_in_mm(row, way),
            Text(row["status"], STATUS_LOOK[row["status"]]),
            f"{1000 * row['seconds']:.3g}",
        )
    if reasons:
        table.caption, table.caption_justify = "\n".join(reasons), "left"
    return table
