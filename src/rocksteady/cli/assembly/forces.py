"""`rocksteady assembly forces`: what the joints carry, at rest or at one moment of a run."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from rocksteady.cli.assembly.inputs import DynamicsOptions, StonesOptions, in_options
from rocksteady.cli.common.files import FIGURES
from rocksteady.cli.common.inputs import Json, Quiet, grouped
from rocksteady.cli.common.options import out_option, panel
from rocksteady.cli.common.shaking import MotionOptions
from rocksteady.errors import InputError

if TYPE_CHECKING:
    from rocksteady.analysis.forces_in_joints import JointForces

_asked = panel("What is asked")
LISTED = 12  # joints in a table on the screen


@grouped
def forces(
    stones: StonesOptions,
    motion: MotionOptions,
    how: DynamicsOptions,
    at: Annotated[float | None, _asked("Moment of the run, s: with --motion.")] = None,
    out: Annotated[
        list[str] | None, out_option("Figure (.png .svg .pdf) or table (.csv); repeatable.")
    ] = None,
    as_json: Json = False,
    quiet: Quiet = False,
) -> None:
    """What the joints carry: under the weight alone, or at one moment of a motion.

    \b
    [cyan]rocksteady assembly forces arch.json -o thrust.png -o thrust.csv[/cyan]
    2.5 s after the beginning of a record:
      [cyan]rocksteady assembly forces arch.json -m record.AT2 --at 2.5[/cyan]
    """
    import rocksteady as rs
    from rocksteady.cli.common.files import planned
    from rocksteady.cli.common.output import report
    from rocksteady.cli.common.progress import Work

    kinds, folder = {"figure": FIGURES, "table": (".csv",)}, ("forces.png", "forces.csv")
    files = planned(out, kinds, folder, sources=[*motion.sources, stones.file])
    assembly, theory = stones.build(), how.build()
    with Work(quiet=quiet or as_json) as work, in_options():
        ground = motion.build(assembly, theory)
        time = _moment(at, ground)
        work.on("Shaking it …" if ground is not None else "Letting it go …")
        # a step beyond the moment, so that it is within the run
        end = 0.01 if ground is None else time + 2 * ground.dt
        response = rs.simulate(assembly, ground, theory, until=end)
        if time > response.time[-1] + 1e-9:
            raise InputError(
                f"--at {time:g} s is after the run: it ends at {response.time[-1]:.3g} s, "
                f"{response.status}."
            )
        found = rs.analysis.joint_forces(response, time)
        for path in files:
            work.on(f"Writing {path.name} …")
            (found.plot if path.suffix in FIGURES else found.save)(path)
    report(_of_forces(found, files), _print, as_json=as_json, quiet=quiet)


def _moment(at: float | None, ground: Any) -> float:
    if ground is None and at is not None:
        raise InputError("--at needs --motion: without one, the forces are those at rest.")
    if ground is not None and at is None:
        raise InputError("--motion needs --at: give the moment in seconds, as in --at 2.5.")
    if at is not None and not 0 <= at <= ground.duration:
        raise InputError(f"--at {at:g} s is outside the motion, which lasts {ground.duration:g} s.")
    return at or 0.0


def _of_forces(found: JointForces, files: list[Path]) -> dict[str, Any]:
    """The forces in numbers."""
    names = [stone.name for stone in found.assembly]
    return {
        "assembly": found.assembly.label,
        "time": found.time,
        "residual": found.residual,
        "words": found.words,
        "joints": [
            {
                "stones": [names[joint.a], names[joint.b]],
                "normal": n0 + n1,
                "ends": [n0, n1],
                "tangential": t,
                "friction": joint.friction,
            }
            for joint, (n0, n1, t) in zip(found.joints, found.forces.tolist(), strict=True)
        ],
        "files": [str(path) for path in files],
    }


def _print(about: dict[str, Any]) -> None:
    from rich.text import Text

    from rocksteady.cli.common.output import headed_table, out, print_files

    console = out()
    console.print(about["words"])
    table = headed_table(["joint"], ["N [kN]", "T [kN]", "|T|/μN"], pad_edge=False)
    each = sorted(about["joints"], key=lambda one: -one["normal"])
    rounding = 1e-9 * max((one["normal"] for one in each), default=0.0)
    for one in each[:LISTED]:
        limit = one["friction"] * one["normal"]
        used = f"{abs(one['tangential']) / limit:.2f}" if limit > 0 else "–"
        both = [0.0 if abs(one[k]) < rounding else one[k] for k in ("normal", "tangential")]
        table.add_row(Text(" – ".join(one["stones"])), *(f"{v / 1e3:.4g}" for v in both), used)
    console.print(table)
    if len(each) > LISTED:
        note = f"  The {LISTED} of {len(each)} joints that carry most; --json or a .csv has all."
        console.print(Text(note, "dim"), soft_wrap=True)
    print_files(about["files"], console)
