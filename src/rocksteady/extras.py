"""Optional packages, and the error message if one is missing."""

from importlib import import_module
from importlib.util import find_spec
from typing import Any

from rocksteady.errors import InputError

EXTRAS = {  # module: (name of the package, our extra that installs it)
    "imageio_ffmpeg": ("imageio-ffmpeg", "films"),
    "pyarrow": ("pyarrow", "tables"),
    "obspy": ("ObsPy", "obspy"),
    "trimesh": ("trimesh", "mesh"),
    "distributed": ("Dask", "dask"),
    "fastapi": ("FastAPI", "studio"),
}


def load(module: str, what: str, instead: str = "") -> Any:
    """Import an optional ``module``. If it is missing, the error says that ``what`` needs it, how
    to install it, and what works ``instead``."""
    try:
        return import_module(module)
    except ImportError:
        raise InputError(f"{what} {needs(module)} {instead}".rstrip()) from None


def installed(module: str) -> bool:
    """Whether an optional ``module`` is there."""
    return find_spec(module) is not None


def needs(module: str) -> str:
    """The end of the error message: "needs <package>, which is not installed: …"."""
    name, extra = EXTRAS[module.partition(".")[0]]
    return f'needs {name}, which is not installed: pip install "rocksteady[{extra}]".'
