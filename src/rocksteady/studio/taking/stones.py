"""Files of an assembly: its stones, and how far they move."""

import tempfile
from pathlib import Path
from typing import Any

import numpy as np

from rocksteady.bodies.assembly import Assembly
from rocksteady.errors import held_back
from rocksteady.names import csv_text
from rocksteady.response import Response
from rocksteady.simulation import simulate
from rocksteady.specs import CaseSpec
from rocksteady.studio.answers.assembly.run import arguments, frames, moved_poses, refuse_slow

ENDINGS = {"json": ".json", "compas": ".compas.json", "dxf": ".dxf", "svg": ".svg"}


def answer(folder: Path, request: dict[str, Any]) -> bytes:
    """The content of one file: ``{"what": "dxf", "case": {…}}``."""
    what = request["what"]
    asked = arguments(CaseSpec.checked(request["case"]), folder)
    if what in ENDINGS:
        return drawn(asked["system"], ENDINGS[what])
    refuse_slow(asked["system"])
    with held_back():  # the page has shown them
        response = simulate(**asked)
    return displacements(response).encode()


def drawn(assembly: Assembly, ending: str) -> bytes:
    """The stones as a file."""
    with tempfile.TemporaryDirectory() as place:
        return assembly.save(Path(place, f"stones{ending}")).read_bytes()


def displacements(response: Response) -> str:
    """CSV: how far each stone is from its place at the moments of the film."""
    assembly: Any = response.system
    moving = [stone for stone in assembly.stones if not stone.fixed]
    rows = frames(response)
    poses = moved_poses(response, rows)  # the first row is the start
    away = (poses - poses[:1]).reshape(len(rows), -1)
    of_stones = [
        f"{what} {stone.name} [{unit}]"
        for stone in moving
        for what, unit in (("dx", "m"), ("dy", "m"), ("turn", "rad"))
    ]
    whole = ("displacement", "turn", "fallen")
    columns = [response.time[rows], response.ground[0][rows]]
    columns += [response.column(name)[rows] for name in whole]
    names = ["time [s]", "ground [m/s²]", "displacement [m]", "turn [rad]", "fallen", *of_stones]
    return csv_text([names, *np.column_stack([*columns, away]).tolist()])
