"""The kinds of motion that `rocksteady motion generate` makes."""

import dataclasses
import shlex
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

import rocksteady as rs
from rocksteady.cli.common.records import converted_first, one_record
from rocksteady.cli.motion.options import CodeOptions, Given, StochasticOptions
from rocksteady.errors import InputError, warn

MOST_AG = 1.0  # g: a larger number may be meant in m/s²
KINDS = ("pulse:…", "mavroeidis", "rezaeian", "ec8")


@dataclass(frozen=True)
class One:
    """A generated motion, and how it was made."""

    motion: "rs.Motion"
    facts: Given = field(default_factory=dict)

    def described(self) -> Given:
        """Its peaks, energy and duration, then how it was made."""
        from rocksteady.motion.units import GRAVITY_UNIT

        motion = self.motion
        return {
            "dt": motion.dt,
            "npts": motion.npts,
            "duration": motion.duration,
            "pga": motion.pga,
            "pga_g": motion.pga / GRAVITY_UNIT,
            "pgv": rs.intensity.pgv(motion),
            "pgd": rs.intensity.pgd(motion),
            "arias": rs.intensity.arias(motion),
            "d5_95": rs.intensity.significant_duration(motion),
            "mean_period": rs.intensity.mean_period(motion),
            **self.facts,
        }


@dataclass
class Made:
    """Motions being made; ``notes`` are printed, ``about`` goes into the JSON output."""

    name: str
    motions: Iterator[One]
    notes: Callable[[], list[str]] = list
    about: Given = field(default_factory=dict)


@dataclass(frozen=True)
class Plan:
    """What to make: how many for a folder (0: one for a file), and the record it is fitted to."""

    start: Callable[[], Made]
    many: int = 0
    fits: str = ""


def recipe(what: str, shared: Given, stochastic: StochasticOptions, code: CodeOptions) -> Plan:
    """The plan for ``what``, or an error if an option does not apply to it."""
    kind = what.split(":")[0]
    makers = {"pulse": _pulse, "mavroeidis": _fitted_pulse, "rezaeian": _stochastic, "ec8": _ec8}
    if kind not in makers or (kind == "pulse" and ":" not in what):
        raise InputError(
            f"{what!r} is not a kind of motion to make: choose from {', '.join(KINDS)}; a pulse "
            "is written like pulse:sine,a=0.45g,T=0.5."
        )
    allowed = {
        "pulse": (),
        "mavroeidis": ("like", "component", "dt"),
        "rezaeian": (*shared, *stochastic.given()),
        "ec8": ("seed", "count", "dt", *code.given()),
    }[kind]
    for name in (*shared, *stochastic.given(), *code.given()):
        if name not in allowed:
            option = {"kind": "type"}.get(name, name.replace("_", "-"))
            what_to_do = "leave it out"
            if kind == "pulse":
                what_to_do = "write the pulse's options as in pulse:sine,a=0.45g,T=0.5"
            raise InputError(f"--{option} does not belong to {kind}: {what_to_do}.")
    if "count" in shared and shared["count"] < 1:
        raise InputError(f"--count {shared['count']} is not allowed: give one or more.")
    return makers[kind](what, shared, stochastic.given(), code.given())


def _pulse(what: str, shared: Given, stochastic: Given, code: Given) -> Plan:
    motion = rs.motion.parse_pulse(what)
    kind = what.removeprefix("pulse:").partition(",")[0].strip()
    return Plan(lambda: Made(kind, iter([One(motion)])))


def _fitted_pulse(what: str, shared: Given, stochastic: Given, code: Given) -> Plan:
    """The Mavroeidis and Papageorgiou pulse of a record."""
    if "like" not in shared:
        raise InputError(
            "mavroeidis needs a record to fit, --like record.AT2; a pulse with given parameters "
            "is pulse:mavroeidis,A=0.8,T=1.5,gamma=2,nu=0."
        )
    record = _record(shared)

    def start() -> Made:
        from rocksteady.motion.generate.pulse_fit import fit_mavroeidis

        fit = fit_mavroeidis(record)
        numbers = {"A": fit.velocity, "T": fit.period, "gamma": fit.gamma, "nu": fit.nu}
        numbers |= {"dt": shared["dt"]} if "dt" in shared else {}
        words = ",".join(f"{name}={value!r}" for name, value in numbers.items())
        notes = [
            f"  pulse of {fit.period:.3g} s and {fit.velocity:.3g} m/s, γ = {fit.gamma:.3g}, ν = "
            f"{fit.nu:.3g} rad, about {fit.t0:.3g} s of {record.name}; it explains "
            f"{fit.energy:.0%} of the energy of the velocity",
            f"  again rocksteady motion generate pulse:mavroeidis,{words}",
        ]
        motion = fit.motion(shared.get("dt"))
        return Made(
            "mavroeidis", iter([One(motion)]), lambda: notes, {"fit": dataclasses.asdict(fit)}
        )

    return Plan(start, fits=record.name)


# -- stochastic -----------------------------------------------------------------------------------

_SIX = ("arias", "d5_95", "t_mid", "frequency_mid", "frequency_rate", "filter_damping")


def _stochastic(what: str, shared: Given, stochastic: Given, code: Given) -> Plan:
    """Parameters given, fitted or drawn; one motion from the seed itself, or an ensemble."""
    six = {name: stochastic[name] for name in _SIX if name in stochastic}
    ways = [bool(six), "like" in shared, "sample" in stochastic]
    if sum(ways) != 1:
        raise InputError(
            "rezaeian needs its parameters in one of three ways: all six (--arias, --d5-95, "
            "--t-mid, --frequency-mid, --frequency-rate, --filter-damping), a record with --like, "
            "or --sample N to draw them from the published distributions."
        )
    if "sample" in stochastic and "count" in shared:
        raise InputError("--sample and --count both say how many: give one of them.")
    missing = [f"--{name.replace('_', '-')}" for name in _SIX if six and name not in six]
    if missing:
        raise InputError(f"rezaeian also needs {', '.join(missing)}.")
    if stochastic.get("sample", 1) < 1:
        raise InputError(f"--sample {stochastic['sample']} is not allowed: give one or more.")
    many = int(stochastic.get("sample") or shared.get("count") or 0)
    record = _record(shared) if "like" in shared else None

    def start() -> Made:
        from rocksteady.motion.generate.stochastic import Parameters, fit

        own = fit(record) if record is not None else Parameters(*six.values()) if six else None
        motions = _stochastic_motions(own, many, shared, stochastic.get("length"))
        notes = _command(own, shared, stochastic) if record is not None and own else []
        about = {"parameters": dataclasses.asdict(own)} if own else {}
        return Made("rezaeian", motions, lambda: notes, about)

    return Plan(start, many, record.name if record is not None else "")


def _stochastic_motions(
    own: "rs.stochastic.Parameters | None", many: int, shared: Given, length: float | None
) -> Iterator[One]:
    """The motions of `stochastic.ensemble`, one at a time, or one from the seed itself."""
    from rocksteady.motion.generate.stochastic import in_turn, rezaeian, sample_parameters

    seed, dt = shared.get("seed", 0), shared.get("dt", 0.01)
    if not many:
        assert own is not None
        yield One(rezaeian(seed, own, dt=dt, duration=length))
        return
    drawn = [own] * many if own is not None else sample_parameters(many, seed)
    motions = in_turn(many, seed, own or drawn, dt=dt, duration=length)
    for i, (motion, parameters) in enumerate(zip(motions, drawn, strict=True)):
        asked = dataclasses.asdict(parameters)
        asked["filter_damping"] = asked.pop("damping")
        facts = {f"{k}_asked" if k in ("arias", "d5_95") else k: v for k, v in asked.items()}
        yield One(motion, {"seed": seed, "spawn_key": i, **facts})


def _command(own: "rs.stochastic.Parameters", shared: Given, stochastic: Given) -> list[str]:
    """The command that makes the same motions without the record."""
    words = ["rocksteady", "motion", "generate", "rezaeian"]
    for name, value in zip(_SIX, dataclasses.astuple(own), strict=True):
        words += [f"--{name.replace('_', '-')}", repr(value)]
    for name in ("seed", "count", "dt"):
        words += [f"--{name}", repr(shared[name])] if name in shared else []
    words += ["--length", repr(stochastic["length"])] if "length" in stochastic else []
    return [f"  again {shlex.join(words)}"]


# -- Eurocode 8 -----------------------------------------------------------------------------------


def _ec8(what: str, shared: Given, stochastic: Given, code: Given) -> Plan:
    """Artificial motions: one from the seed itself, or a set."""
    from rocksteady.bodies.block import STANDARD_GRAVITY
    from rocksteady.motion.code_spectra import Eurocode8
    from rocksteady.numbers import positive

    if "ag" not in code:
        raise InputError("ec8 needs the design ground acceleration on rock in g: --ag 0.25.")
    spectrum = {name: code[name] for name in ("kind", "damping") if name in code}
    soil = str(code.get("soil", "A")).upper()
    ag = positive("--ag", code["ag"], "g")
    if ag > MOST_AG:
        warn(
            f"--ag {ag:g} is in g, more than in any code's map: {ag:g} m/s² would be "
            f"--ag {ag / STANDARD_GRAVITY:.3g}."
        )
    target = Eurocode8(ag * STANDARD_GRAVITY, soil, **spectrum)
    seed, many = shared.get("seed", 0), shared.get("count", 0)
    if not isinstance(seed, int) or seed < 0:
        raise InputError(f"--seed {seed} is not allowed: give a whole number, zero or larger.")
    T1 = positive("--period", code["period"], "s") if "period" in code else None

    def start() -> Made:
        from numpy.random import SeedSequence

        from rocksteady.motion.generate.artificial import artificial, check

        how = {"strong": code.get("strong", 10.0), "dt": shared.get("dt", 0.01)}
        made: list[rs.Motion] = []
        about: Given = {"target": repr(target)}

        def motions() -> Iterator[One]:
            seeds = SeedSequence(seed).spawn(many) if many else [SeedSequence(seed)]
            for i, child in enumerate(seeds):
                made.append(artificial(target, child, **how))
                error = made[-1].meta["spectrum_error"]
                yield One(made[-1], {"seed": seed, "spawn_key": i, "spectrum_error": error})

        def notes() -> list[str]:
            if T1 is None:
                return []
            found = check(made, target, T1)
            about["check"] = dataclasses.asdict(found)
            count = "1 motion" if found.motions == 1 else f"{found.motions} motions"
            return [
                f"  {count} for T1 = {T1:g} s: mean PGA {found.pga_ratio:.3f} of a_g·S, lowest "
                f"mean spectrum {found.lowest_ratio:.3f} of the target.",
                "  Public programs take from Eurocode 8, 3.2.3.1.2(4): 3 motions or more, 1 and "
                "0.9 or more. No verdict: we do not have its text.",
            ]

        return Made("ec8", motions(), notes, about)

    return Plan(start, many)


def _record(shared: Given) -> "rs.Motion":
    """The record to fit."""
    with converted_first(shared["like"]):
        return one_record(shared["like"], shared.get("component"))
