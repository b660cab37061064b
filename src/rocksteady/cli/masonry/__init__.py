"""`rocksteady masonry`."""

from rocksteady.cli.masonry.command import app

__all__ = ["app"]
