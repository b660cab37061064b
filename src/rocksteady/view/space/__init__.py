"""What a person sees of a body in space: figure, film, and the map over directions."""

from rocksteady.view.space.animation import animate, still
from rocksteady.view.space.directions import plot_directions
from rocksteady.view.space.figures import plot_response

__all__ = ["animate", "plot_directions", "plot_response", "still"]
