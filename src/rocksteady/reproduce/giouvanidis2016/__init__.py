from rocksteady.reproduce.giouvanidis2016.paper import PAPER as PAPER
