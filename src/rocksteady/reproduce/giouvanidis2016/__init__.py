from rocksteady.reproduce.giouvanidis2016.paper import PAPER

__all__ = ["PAPER"]
