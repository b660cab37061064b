"""`rocksteady monitor`."""

from rocksteady.cli.monitor.command import app

__all__ = ["app"]
