"""Does it really give the published results? Each paper's tables and figures, regenerated, with its
numbers beside ours.

>>> from rocksteady.reproduce import PAPERS
>>> print(*PAPERS)
daltri2024 giouvanidis2016 casalotti2025 pena-rbsm prieto2005 spatial assemblies
"""

from importlib import import_module

from rocksteady.errors import InputError
from rocksteady.reproduce.verdict import Paper

PAPERS = {
    "daltri2024": "Rocking by numerical dissipation",
    "giouvanidis2016": "Impact as a complementarity problem",
    "casalotti2025": "Masonry buildings: friction, plasticity, wear",
    "pena-rbsm": "Rigid body spring model",
    "prieto2005": "One differential equation for rocking",
    "spatial": "Bodies in space: columns, cans, disks, statistics",
    "assemblies": "Many blocks: arches, walls, drums, a rocking frame",
}


def paper(name: str) -> Paper:
    """The paper of this name and what of it is reproduced."""
    if name not in PAPERS:
        raise InputError(f"{name!r} is not a paper here: choose from {', '.join(PAPERS)} or all.")
    found = import_module(f"rocksteady.reproduce.{name.replace('-', '_')}.paper").PAPER
    assert isinstance(found, Paper)
    return found
