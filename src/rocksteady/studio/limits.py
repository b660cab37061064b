"""How much may be asked at once. What is larger is for the command line and Python."""

from rocksteady.errors import InputError
from rocksteady.motion import Motion
from rocksteady.specs import CaseSpec, FloorSpec, MotionSpec

JSON_BYTES = 1_000_000  # of a request that is not an upload
JSON_LEVELS = 64  # of lists and objects within each other
LISTENERS = 200  # to the events of jobs, and as many to those of buildings
JSON_SECONDS = 20.0  # in which it must have arrived
HEAD_SECONDS = 15.0  # in which a client must have said what it wants
RECORD_BYTES, SCAN_BYTES = 32_000_000, 128_000_000  # of an upload
ARRIVING_BYTES = 512_000_000  # of all uploads that have not arrived as a whole
UPLOAD_SECONDS = 300.0
RECORD_SECONDS, SCAN_SECONDS = 10.0, 25.0  # in which it must have been read
ANSWER_BYTES = 48_000_000  # of one quick answer
UNSENT_BYTES = 256_000_000  # of answers that clients have yet to take, all together
TAKE_SECONDS, TAKE_BYTES = 30.0, 1_000_000  # a client takes so much of its answer in so long
KEPT_BYTES = 2_000_000_000  # of all uploads: older ones make room

SAMPLES = 200_000  # of one motion in one quick answer
MOTIONS = 1  # that a quick answer generates
NUMBER = 1000  # of one among many: the parameters of those before it are drawn, too
LONGEST = 3600.0  # s
MODES = 50  # of a building
STONES = 1_000  # of an assembly
QUICK_JOINTS = 24  # an assembly with more is shaken by a job
SHAKING_SECONDS = 180.0  # of the motion under an assembly
MOST_POSES = 250_000  # of all stones at all moments that are sent
ELSEWHERE = "In Python and on the command line there is no such limit."


def check_case(case: CaseSpec) -> None:
    """Refuse what would take too long for an answer at once."""
    if isinstance(case.until, float) and case.until > LONGEST:
        raise InputError(
            f"until = {case.until:g} s is too long here: at most {LONGEST:g} s. {ELSEWHERE}"
        )
    if case.motion is not None:
        check_source(case.motion)
    if case.floor is not None:
        check_floor(case.floor)


def check_floor(floor: FloorSpec) -> None:
    """The same of a building."""
    if len(floor.modes or ()) > MODES:
        raise InputError(
            f"{len(floor.modes or ())} modes are too many here: at most {MODES}. {ELSEWHERE}"
        )


def check_source(source: MotionSpec) -> None:
    """The same of a motion that is still to be made or read."""
    made = source.stochastic
    if made is not None and (made.only or made.count) > (MOTIONS if made.only is None else NUMBER):
        raise InputError(f"{made.count} motions were asked for: one at a time here. {ELSEWHERE}")
    if made is not None and made.dt < 0.001:
        raise InputError(f"dt = {made.dt:g} s is too short here: at least 0.001 s. {ELSEWHERE}")


def check_motion(motion: Motion) -> None:
    """The same of one that is there."""
    if len(motion) > SAMPLES:
        raise InputError(
            f"The motion has {len(motion)} samples: at most {SAMPLES} here. Resample it to a "
            f"longer step or cut it. {ELSEWHERE}"
        )
