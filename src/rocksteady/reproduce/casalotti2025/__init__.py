from rocksteady.reproduce.casalotti2025.paper import PAPER as PAPER
