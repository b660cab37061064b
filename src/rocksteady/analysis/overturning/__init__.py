"""Which motions overturn a body: rocking spectra and overturning maps."""

from rocksteady.analysis.overturning.maps import overturning_map
from rocksteady.analysis.overturning.result import OverturningMap
from rocksteady.analysis.overturning.spectrum import RockingSpectrum, rocking_spectrum
from rocksteady.analysis.overturning.ways import Way

__all__ = ["OverturningMap", "RockingSpectrum", "Way", "overturning_map", "rocking_spectrum"]
