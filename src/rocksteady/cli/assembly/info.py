"""`rocksteady assembly info`: what is in a file of stones."""

from typing import Annotated

from rocksteady.cli.assembly.inputs import FOLDER, STONES, StonesOptions
from rocksteady.cli.common.inputs import Json, Quiet, grouped
from rocksteady.cli.common.options import out_option


@grouped
def info(
    stones: StonesOptions,
    out: Annotated[
        list[str] | None,
        out_option(
            "A picture (.png .pdf), or the stones in another format (.json .compas.json .dxf "
            ".svg). May be repeated."
        ),
    ] = None,
    as_json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Stones, joints, mass and friction of a file; what stands on what; a picture.

    \b
    [cyan]rocksteady assembly info wall.json -o wall.png[/cyan]
    A drawing in millimetres becomes a file of its own, on a ground:
      [cyan]rocksteady assembly info wall.dxf --drawing-unit mm --ground -o wall.json[/cyan]
    """
    from rocksteady.cli.assembly.makers import write_stones
    from rocksteady.cli.assembly.tables import of_assembly, print_assembly
    from rocksteady.cli.common.files import planned
    from rocksteady.cli.common.output import report

    files = planned(out, STONES, FOLDER, sources=[stones.file])
    assembly = stones.build()
    for path in files:
        write_stones(assembly, path)
    about = of_assembly(assembly) | {"files": [str(path) for path in files]}
    about["assumed"] = stones.assumed
    report(about, print_assembly, as_json=as_json, quiet=quiet)
