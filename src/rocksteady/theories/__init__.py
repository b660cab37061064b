"""How it moves: one published theory, one folder. Each is imported when first asked for."""

from rocksteady.public import names_of

__getattr__, __dir__, __all__ = names_of("rocksteady.theories")
