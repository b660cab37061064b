"""Columns, arches and walls of loose stones: what they are, how they move, what they bear."""
