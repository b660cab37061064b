from rocksteady.reproduce.prieto2005.paper import PAPER as PAPER
