"""`rocksteady calibrate`."""

from rocksteady.cli.calibrate.command import app

__all__ = ["app"]
