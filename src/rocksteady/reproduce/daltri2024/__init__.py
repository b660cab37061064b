from rocksteady.reproduce.daltri2024.paper import PAPER as PAPER
