"""`rocksteady assembly`."""

from rocksteady.cli.assembly.command import app

__all__ = ["app"]
