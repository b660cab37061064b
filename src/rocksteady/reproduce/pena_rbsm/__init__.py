from rocksteady.reproduce.pena_rbsm.paper import PAPER

__all__ = ["PAPER"]
