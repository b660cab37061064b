"""Motions made by formula or at random: pulses, stochastic motions, motions for a code spectrum."""
