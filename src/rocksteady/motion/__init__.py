"""Ground motions: reading, writing, processing, generating and measuring them."""

from rocksteady.motion.generate import pulses
from rocksteady.motion.generate.pulse_text import parse_pulse
from rocksteady.motion.motion import Motion
from rocksteady.motion.readers import read_motion

__all__ = ["Motion", "parse_pulse", "pulses", "read_motion"]
