from rocksteady.reproduce.casalotti2025.paper import PAPER

__all__ = ["PAPER"]
