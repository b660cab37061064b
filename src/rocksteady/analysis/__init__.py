"""What it means: decay, spectra, overturning, fragility."""
