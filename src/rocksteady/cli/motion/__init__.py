"""`rocksteady motion`."""

from rocksteady.cli.motion.command import app

__all__ = ["app"]
