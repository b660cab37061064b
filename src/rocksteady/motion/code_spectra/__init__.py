"""Elastic response spectra of building codes: Eurocode 8 and the Italian NTC 2018.

>>> spectrum = Eurocode8(ag=2.0, soil="B", kind=1)
>>> spectrum.pga, round(float(spectrum.acceleration(0.3)), 6)
(2.4, 6.0)
>>> site = Ntc2018(ag=2.4525, F0=2.4, Tc_star=0.35, soil="B")
>>> round(site.S, 2), round(float(site.acceleration(1.0)), 4)
(1.16, 3.2428)
"""

from rocksteady.motion.code_spectra.elastic import ElasticSpectrum
from rocksteady.motion.code_spectra.eurocode8 import Eurocode8
from rocksteady.motion.code_spectra.ntc2018 import Ntc2018

__all__ = ["ElasticSpectrum", "Eurocode8", "Ntc2018"]
