"""Which figure and which film show a run: it depends on the kind of body.

A package with a body of its own adds a line to `FIGURES` and `FILMS`; otherwise the body is shown
as the class that it inherits from.
"""

from pathlib import Path
from typing import TYPE_CHECKING, Any

from rocksteady.bodies import Assembly, Body, MasonryBuilding, System
from rocksteady.registry import imported
from rocksteady.response import Response

if TYPE_CHECKING:
    from matplotlib.figure import Figure

FIGURES: dict[type[System], str] = {
    System: "rocksteady.view.figures:plot_response",
    Body: "rocksteady.view.space:plot_response",
    Assembly: "rocksteady.view.assembly:plot_response",
    MasonryBuilding: "rocksteady.view.masonry:plot_building",
}
"""The function that draws a response, as "module:name"."""
FILMS: dict[type[System], str] = {
    System: "rocksteady.view.animation:animate",
    Body: "rocksteady.view.space:animate",
    Assembly: "rocksteady.view.assembly:animate",
    MasonryBuilding: "rocksteady.view.masonry_film:animate",
}
"""The function that films a response, as "module:name"."""


def plot(response: Response, path: str | Path | None = None) -> "Figure":
    """Draw a response."""
    return _of(FIGURES, response)(response, path)  # type: ignore[no-any-return]


def animate(response: Response, path: Path, **options: Any) -> Path:
    """Film a response."""
    return _of(FILMS, response)(response, path, **options)  # type: ignore[no-any-return]


def _of(table: dict[type[System], str], response: Response) -> Any:
    kinds = [kind for kind in type(response.system).__mro__ if kind in table]
    return imported(table[kinds[0]])
