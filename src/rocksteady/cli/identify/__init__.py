"""`rocksteady identify`."""

from rocksteady.cli.identify.command import app

__all__ = ["app"]
