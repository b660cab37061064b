"""`rocksteady calibrate`: measure the loss at impacts, or set a theory's; the time step's law."""

from typing import Annotated, Any

from rich.text import Text

from rocksteady.cli import COMMANDS
from rocksteady.cli.calibrate.measure import measure
from rocksteady.cli.calibrate.time_step import time_step
from rocksteady.cli.common.inputs import BlockOptions, Json, Quiet, StartOptions, grouped
from rocksteady.cli.common.options import new_app, panel
from rocksteady.cli.common.output import out, report
from rocksteady.cli.common.progress import Work
from rocksteady.cli.common.theory import NAMES, TheoryOptions
from rocksteady.errors import InputError

app = new_app(COMMANDS["calibrate"])
_loss = panel("The loss")


@app.command("block", no_args_is_help=True)
@grouped
def block_(
    block: BlockOptions,
    start: StartOptions,
    r: Annotated[
        float | None, _loss("Kinetic energy after over before an impact; Housner's.")
    ] = None,
    formulation: Annotated[
        str, _loss(f"The theory: {', '.join(NAMES)}.", metavar="NAME")
    ] = "dissipation",
    parameter: Annotated[str | None, _loss("Which one, where it has several.")] = None,
    k_n: Annotated[float | None, _loss("Stiffness of the bed, N/m³, of theories with one.")] = None,
    tolerance: Annotated[float, _loss("How near r has to come.")] = 1e-4,
    as_json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Find the parameter with which a block keeps the wanted share of its energy.

    \b
    The time step of numerical dissipation, by free rocking of the block itself:
      [cyan]rocksteady calibrate block --height 4.2 --width 0.6 --r 0.94[/cyan]
    """
    from rocksteady.analysis.calibrate import calibrate

    bed = None if k_n is None else [f"k_n={k_n!r}"]
    body, how = block.build(), TheoryOptions(formulation=formulation, set=bed).build()
    lean = start.angle(body) if start.theta0 is not None else None
    if start.omega0:
        raise InputError("--omega0 does not go with a calibration: the block is let go at rest.")
    with Work(quiet=quiet or as_json) as work:
        work.on("Letting the block rock …")
        wanted = body.r if r is None else r
        found = calibrate(body, how, wanted, parameter=parameter, theta0=lean, tolerance=tolerance)
    about = {
        "block": body.label,
        "formulation": how.name,
        "parameter": found.parameter,
        "value": found.value,
        "r": found.r,
        "wanted_r": found.wanted,
        "scatter": found.scatter,
    }
    report(about, _print, as_json=as_json, quiet=quiet)


def _print(about: dict[str, Any]) -> None:
    unit = " s" if about["parameter"] == "dt" else ""
    out().print(
        Text.assemble(
            f"{about['block']}, {about['formulation']}: ",
            (f"{about['parameter']} = {about['value']:.5g}{unit}", "bold"),
            f" gives r = {about['r']:.4f} (wanted {about['wanted_r']:.4f}; single impacts scatter "
            f"by {about['scatter']:.4f})",
        )
    )


app.command("measure", no_args_is_help=True)(measure)
app.command("time-step", no_args_is_help=True)(time_step)
