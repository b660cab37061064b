from rocksteady.reproduce.pena_rbsm.paper import PAPER as PAPER
