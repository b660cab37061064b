"""What a time-step campaign leaves on disk: results to go on with, and a table to read."""

from __future__ import annotations

import io
import json
import zipfile
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from rocksteady.errors import InputError
from rocksteady.files import write_whole
from rocksteady.formulations.contract import Array

if TYPE_CHECKING:
    from rocksteady.analysis.timestep.result import Campaign

COLUMNS = "height [m],width [m],R [m],h/b [-],k_n [N/m3],r [-],best dt [s],e_G [-]"


class CampaignStore:
    """The errors of a campaign, in memory and, where a path is given, in a file that is whole
    after every case."""

    errors: Array
    """By block, k_n, Δt, r and (e_θ, e_T)."""
    done: NDArray[np.bool_]
    """By block and k_n."""

    def __init__(
        self, path: str | Path | None, shape: tuple[int, ...], settings: dict[str, Any]
    ) -> None:
        self.path = None if path is None else Path(path)
        self.settings = json.dumps(settings, sort_keys=True)
        self.errors, self.done = np.full(shape, np.inf), np.zeros(shape[:2], dtype=bool)
        if self.path is None:
            return
        if self.path.suffix != ".npz":
            raise InputError(f"store = {str(path)!r} cannot be used: its name must end in .npz.")
        if self.path.exists():
            self._load(self.path)

    def _load(self, path: Path) -> None:
        try:
            with np.load(path) as file:
                settings, errors, done = str(file["settings"]), file["errors"], file["done"]
        except (OSError, ValueError, KeyError, zipfile.BadZipFile) as error:
            raise InputError(
                f"{path} is not a campaign's file ({error}): choose another name, or remove it."
            ) from error
        if settings != self.settings or errors.shape != self.errors.shape:
            raise InputError(
                f"{path} holds a campaign with other blocks, stiffnesses, steps or another body: "
                "choose another name, or remove it."
            )
        self.errors, self.done = errors, done

    def put(self, place: tuple[int, int], errors: Array) -> None:
        """Keep the errors of one block on one bed."""
        self.errors[place], self.done[place] = errors, True
        if self.path is not None:
            memory = io.BytesIO()
            np.savez_compressed(memory, settings=self.settings, errors=self.errors, done=self.done)
            write_whole(self.path, memory.getvalue())


def write_cases(campaign: Campaign, path: Path) -> Path:
    """The accepted cases as a .csv file."""
    if path.suffix != ".csv":
        raise InputError(f"Cannot write a table to {str(path)!r}: its name must end in .csv.")
    lines = [COLUMNS]
    for case in campaign.cases:
        block = campaign.blocks[case.block]
        numbers = (block.height, block.width, case.R, case.slenderness, case.k_n, case.r)
        lines.append(",".join(f"{x:.6g}" for x in (*numbers, case.dt, case.e_G)))
    return write_whole(path, "\n".join(lines) + "\n")
