"""The public names and where they come from: for type checkers, and for `__getattr__`."""

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
from rocksteady.monitor.live import Stream as Stream  # deprecated: Monitor
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

__version__: str
