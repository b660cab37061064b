"""The parts of the stochastic model of Rezaeian and Der Kiureghian (2008, 2010)."""
