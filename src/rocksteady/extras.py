"""Packages that are installed only when asked for, and what to say where one is missing."""

from __future__ import annotations

from importlib import import_module
from typing import Any

from rocksteady.errors import InputError

EXTRAS = {  # by module: what people call the package, and our extra that brings it
    "imageio_ffmpeg": ("imageio-ffmpeg", "films"),
    "pyarrow": ("pyarrow", "tables"),
    "obspy": ("ObsPy", "obspy"),
    "distributed": ("Dask", "dask"),
}


def load(module: str, what: str, instead: str = "") -> Any:
    """Import an optional ``module``; without it, an error says that ``what`` needs it, how to
    install it, and what works ``instead``."""
    try:
        return import_module(module)
    except ImportError:
        raise InputError(f"{what} {needs(module)} {instead}".rstrip()) from None


def needs(module: str) -> str:
    """The end of a sentence about something that cannot be done without ``module``."""
    name, extra = EXTRAS[module.partition(".")[0]]
    return f'needs {name}, which is not installed: pip install "rocksteady[{extra}]".'
