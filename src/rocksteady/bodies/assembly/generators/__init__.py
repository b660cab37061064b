"""Stones of common structures, where they stand: used by the class methods of `Assembly`."""
