"""The folder in which a studio keeps uploads and jobs."""

import errno
from pathlib import Path

from rocksteady.errors import InputError

FULL = (
    "The disk with the studio's folder is full: free some space there, or start the studio with "
    "--folder on another disk."
)


def full(error: BaseException | None) -> bool:
    """Whether it says that a disk, or somebody's share of it, has no room left."""
    return isinstance(error, OSError) and errno.errorcode.get(error.errno or 0) in (
        "ENOSPC",
        "EDQUOT",
    )


def prepare(folder: Path) -> None:
    """Make it, or say in a sentence why it cannot be used: a file has its name, or nothing may be
    written there."""
    lock = folder / "jobs" / "lock"
    try:
        for place in (folder / "uploads", lock.parent):
            place.mkdir(parents=True, exist_ok=True)
        with lock.open("ab"):
            pass
    except OSError as error:
        raise InputError(
            f"The studio cannot keep its files in {folder}: {error.strerror or error} "
            f"({error.filename}). Give a folder that can be written to: rocksteady studio --folder "
            "FOLDER."
        ) from error
