"""What a person sees of an assembly of stones: figures, film, forces and mechanisms."""

from rocksteady.view.assembly.animation import animate, still
from rocksteady.view.assembly.capacity import plot_capacity
from rocksteady.view.assembly.drawing import plot_assembly
from rocksteady.view.assembly.figures import plot_response
from rocksteady.view.assembly.forces import plot_forces
from rocksteady.view.assembly.mechanism import plot_mechanism

__all__ = [
    "animate",
    "plot_assembly",
    "plot_capacity",
    "plot_forces",
    "plot_mechanism",
    "plot_response",
    "still",
]
