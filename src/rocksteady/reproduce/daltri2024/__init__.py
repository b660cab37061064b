from rocksteady.reproduce.daltri2024.paper import PAPER

__all__ = ["PAPER"]
