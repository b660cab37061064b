"""The options that put a body onto a floor of a building."""

from dataclasses import dataclass
from typing import Annotated

import rocksteady as rs
from rocksteady.cli.common.options import Options, panel
from rocksteady.cli.common.records import built
from rocksteady.errors import InputError

_floor = panel("The floor, of an elastic building; on the ground unless given")


@dataclass(frozen=True)
class FloorOptions(Options):
    """Where it stands."""

    storeys: Annotated[int | None, _floor("How many storeys, all alike; 1 unless given.")] = None
    period: Annotated[float | None, _floor("Fundamental period of the building, s.")] = None
    damping: Annotated[float | None, _floor("Damping ratio of its modes; 0.05 unless given.")] = (
        None
    )
    level: Annotated[
        int | None, _floor("The floor, from 1 to the storeys; the roof unless given.")
    ] = None
    modes: Annotated[
        str | None,
        _floor(
            "Instead, the building's modes at this floor: period:participation[:damping], a blank "
            "between them.",
            metavar="'T:Γφ:ξ …'",
        ),
    ] = None

    def build(self) -> "rs.Floor | None":
        """The floor; None on the ground."""
        given = self.given()
        if not given:
            return None
        modes = given.pop("modes", None)
        if modes is not None:
            if given:
                raise InputError(f"--{next(iter(given))} and --modes were both given: give one.")
            return rs.Floor.parsed(modes)
        if self.period is None:
            raise InputError(
                f"--{next(iter(given))} needs --period, the fundamental period of the building in "
                "s: for a building of n storeys about 0.1 n."
            )
        return built(rs.specs.FloorSpec, given)  # type: ignore[no-any-return]


def on_floor(floor: "rs.Floor | None", motion: "rs.Motion | None") -> "rs.Motion | None":
    """What shakes the body: the floor's motion, or the ground's."""
    if floor is None:
        return motion
    if motion is None:
        raise InputError("A floor needs --motion: without one the building does not move.")
    return floor.motion(motion)
