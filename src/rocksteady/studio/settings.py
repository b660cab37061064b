"""What a server is told when it starts."""

from dataclasses import dataclass
from pathlib import Path

LOOPBACK = ("127.0.0.1", "localhost", "::1")


@dataclass(frozen=True)
class Settings:
    """Where a server keeps its files, and who may ask it."""

    folder: Path
    """Uploads and jobs live here; files in descriptions begin here."""
    token: str | None = None
    """What a client must show; None lets in every program on this machine."""
    hosts: tuple[str, ...] = LOOPBACK
    """The names under which the server may be addressed. Others are refused, so that a page
    elsewhere cannot reach it by pointing its own name at this machine (DNS rebinding)."""
    workers: int = 2
    """Processes for quick questions."""
    monitor: Path | None = None
    """The log of a `rocksteady monitor`, or a folder with the logs of many, to be shown."""
