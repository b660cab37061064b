"""`rocksteady ensemble`."""

from rocksteady.cli.ensemble.command import app

__all__ = ["app"]
