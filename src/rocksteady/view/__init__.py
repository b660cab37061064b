"""What a person sees: figures for print and films of the rocking block."""

from rocksteady.view.animation import animate
from rocksteady.view.figures import plot_response
from rocksteady.view.style import save_figure

__all__ = ["animate", "plot_response", "save_figure"]
