"""Everything that rocks, slides, wears or falls in an earthquake.

>>> import rocksteady as rs
>>> column = rs.Block(height=4.2, width=0.6)
>>> response = rs.simulate(column, theta0=column.alpha / 2)
>>> round(response.peak, 3)
0.5

Public names are imported on first use, so that ``import rocksteady`` is fast.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

__version__ = "0.3.0"

_NAMES = {  # module: what it offers
    "motion": "Motion read_motion",
    "motion.record": "read_record",
    "motion.writers": "write_motion",
    "motion.catalogue": "read_folder",
    "motion.collection": "read_motions",
    "systems": "Block FlexibleOscillator MasonryBuilding",
    "formulations": "Housner NumericalDissipation Nonsmooth RigidBodySpring "
    "ComplexPotential Masonry Formulation",
    "formulations.dissipation.law": "time_step",
    "formulations.nonsmooth.lcp": "impact",
    "response": "Response",
    "status": "Status",
    "monitor": "Monitor",
    "monitor.live": "Stream",  # deprecated: Monitor
    "simulation": "simulate",
    "ensembles.api": "ensemble open_ensemble",
    "analysis.compare": "compare",
    "analysis.calibrate": "calibrate",
    "analysis.decay.measure": "measure_r",
    "analysis.body_history": "body_history",
    "analysis.portfolio.assess": "portfolio",
    "analysis.identification": "identify",
    "analysis.pushover": "pushover",
    "analysis.sequence": "sequence",
    "view.ensemble.figure": "plot_ensemble",
    "ensembles.runs_table": "write_ensemble_runs",
    "analysis.shares.table": "write_ensemble_table",
    "errors": "InputError MotionFormatError RocksteadyWarning",
}
_MODULES = {
    "pulses": "motion.generate.pulses",
    "stochastic": "motion.generate.stochastic",
    "spectra": "motion.spectra",
    "intensity": "motion.intensity",
}
_ROOMS = [
    "motion",
    "systems",
    "formulations",
    "specs",
    "engine",
    "ensembles",
    "analysis",
    "view",
    "reproduce",
    "monitor",
]
_MODULES |= dict(zip(_ROOMS, _ROOMS, strict=True))
_HOMES = {name: module for module, names in _NAMES.items() for name in names.split()}

__all__ = [*_HOMES, *_MODULES, "__version__"]

if TYPE_CHECKING:
    from rocksteady import analysis as analysis
    from rocksteady import engine as engine
    from rocksteady import ensembles as ensembles
    from rocksteady import formulations as formulations
    from rocksteady import monitor as monitor
    from rocksteady import motion as motion
    from rocksteady import reproduce as reproduce
    from rocksteady import specs as specs
    from rocksteady import systems as systems
    from rocksteady import view as view
    from rocksteady.analysis.body_history import body_history as body_history
    from rocksteady.analysis.calibrate import calibrate as calibrate
    from rocksteady.analysis.compare import compare as compare
    from rocksteady.analysis.decay.measure import measure_r as measure_r
    from rocksteady.analysis.identification import identify as identify
    from rocksteady.analysis.portfolio.assess import portfolio as portfolio
    from rocksteady.analysis.pushover import pushover as pushover
    from rocksteady.analysis.sequence import sequence as sequence
    from rocksteady.analysis.shares.table import write_ensemble_table as write_ensemble_table
    from rocksteady.ensembles.api import ensemble as ensemble
    from rocksteady.ensembles.api import open_ensemble as open_ensemble
    from rocksteady.ensembles.runs_table import write_ensemble_runs as write_ensemble_runs
    from rocksteady.errors import InputError as InputError
    from rocksteady.errors import MotionFormatError as MotionFormatError
    from rocksteady.errors import RocksteadyWarning as RocksteadyWarning
    from rocksteady.formulations import ComplexPotential as ComplexPotential
    from rocksteady.formulations import Formulation as Formulation
    from rocksteady.formulations import Housner as Housner
    from rocksteady.formulations import Masonry as Masonry
    from rocksteady.formulations import Nonsmooth as Nonsmooth
    from rocksteady.formulations import NumericalDissipation as NumericalDissipation
    from rocksteady.formulations import RigidBodySpring as RigidBodySpring
    from rocksteady.formulations.dissipation.law import time_step as time_step
    from rocksteady.formulations.nonsmooth.lcp import impact as impact
    from rocksteady.monitor import Monitor as Monitor
    from rocksteady.monitor.live import Stream as Stream
    from rocksteady.motion import Motion as Motion
    from rocksteady.motion import intensity as intensity
    from rocksteady.motion import read_motion as read_motion
    from rocksteady.motion import spectra as spectra
    from rocksteady.motion.catalogue import read_folder as read_folder
    from rocksteady.motion.collection import read_motions as read_motions
    from rocksteady.motion.generate import pulses as pulses
    from rocksteady.motion.generate import stochastic as stochastic
    from rocksteady.motion.record import read_record as read_record
    from rocksteady.motion.writers import write_motion as write_motion
    from rocksteady.response import Response as Response
    from rocksteady.simulation import simulate as simulate
    from rocksteady.status import Status as Status
    from rocksteady.systems import Block as Block
    from rocksteady.systems import FlexibleOscillator as FlexibleOscillator
    from rocksteady.systems import MasonryBuilding as MasonryBuilding
    from rocksteady.view.ensemble.figure import plot_ensemble as plot_ensemble


def __getattr__(name: str) -> Any:
    if name in _HOMES:
        value = getattr(import_module(f"rocksteady.{_HOMES[name]}"), name)
    elif name in _MODULES:
        value = import_module(f"rocksteady.{_MODULES[name]}")
    else:
        raise AttributeError(f"rocksteady has no {name!r}; it has {', '.join(sorted(__all__))}")
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted(__all__)
