"""`rocksteady demo`: the main job on a built-in default."""

from typing import Annotated

import typer

import rocksteady as rs
from rocksteady.cli.common.files import planned
from rocksteady.cli.common.inputs import Quiet
from rocksteady.cli.common.options import new_app
from rocksteady.cli.common.output import out as output
from rocksteady.cli.common.output import print_next
from rocksteady.cli.common.progress import Work

app = new_app()

# A marble statue under a long near-fault pulse: it rocks to four fifths of what it can bear, to
# and fro some twenty times, and stands. A twentieth more, and it falls.
HEIGHT, WIDTH = 1.8, 0.5  # m
PULSE = "pulse:mavroeidis,A=0.8,f=1,gamma=6"
_STATUE = f"rocksteady simulate --height {HEIGHT:g} --width {WIDTH:g}"
NEXT = {
    "A twentieth stronger, and it falls:": f"{_STATUE} -m {PULSE} --scale 1.05 -o fall.gif",
    "How often does it fall? One run cannot tell; 100 earthquakes can:": (
        f"{_STATUE} -m {PULSE} -o study.toml && rocksteady ensemble study.toml -o study.png"
    ),
    "Your own object and record:": f"{_STATUE} -m record.AT2 -o mine",
    "How likely is yours to fall in 50 years, and what would help? A report to sign:": (
        "rocksteady assess --example > object.toml && rocksteady assess object.toml"
    ),
}


@app.command()
def demo(
    out: Annotated[
        str, typer.Option("--out", "-o", metavar="FOLDER", help="Where the results go.")
    ] = "demo",
    quiet: Quiet = False,
) -> None:
    """Shake a statue: a table, a figure, a film and the data, without any input.

    A marble statue, 1.8 m high on a base of 0.5 m, under a long pulse as near a
    fault.
    """
    from rocksteady.cli.common.summary import print_run
    from rocksteady.cli.simulate import run_and_write

    files = planned([out + "/"])
    with Work(quiet=quiet) as work:
        work.on("Starting …")

        statue = rs.Block(height=HEIGHT, width=WIDTH)
        pulse = rs.motion.parse_pulse(PULSE)
        motion = rs.Motion(pulse.accel, pulse.dt, name="a near-fault pulse", meta=pulse.meta)
        about = run_and_write(statue, motion, rs.Housner(), files, work)
    if not quiet:
        print_run(about)
        print_next(NEXT, output())
