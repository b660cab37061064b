from rocksteady.reproduce.prieto2005.paper import PAPER

__all__ = ["PAPER"]
