"""An ensemble in figures and tables."""

from rocksteady.view.ensemble.figure import plot_ensemble

__all__ = ["plot_ensemble"]
