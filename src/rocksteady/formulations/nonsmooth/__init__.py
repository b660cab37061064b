"""Impact and friction as a complementarity problem (Giouvanidis and Dimitrakopoulos 2016)."""

from rocksteady.formulations.nonsmooth.formulation import Nonsmooth

__all__ = ["Nonsmooth"]
