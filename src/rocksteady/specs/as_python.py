"""A case as the Python script that a person would write for it, with the same numbers."""

import textwrap
from collections.abc import Iterator
from pathlib import PurePosixPath
from typing import Any

from rocksteady.bodies import SYSTEMS, Rocker, System
from rocksteady.bodies.presets import PRESETS
from rocksteady.errors import InputError
from rocksteady.marks import mark
from rocksteady.motion.generate.pulse_text import pulse_call
from rocksteady.motion.units import GRAVITY_UNIT
from rocksteady.registry import Registry
from rocksteady.specs.body import BodySpec, body_class
from rocksteady.specs.case import CaseSpec, unit_of
from rocksteady.specs.floor import FloorSpec
from rocksteady.specs.motion import MotionSpec
from rocksteady.specs.motion_sources import SIX, Stochastic, restored_meta
from rocksteady.specs.python_words import Code, call, literal
from rocksteady.specs.theory import TheorySpec
from rocksteady.theories.registry import usual

PRINTED = """\
print(f"{response.formulation.name}: {response.status}")
print(f"  peak {response.coordinate.size} = {response.peak}")
print(f"  at {response.time_of_peak} s")
"""
IMPACTS = 'print(f"  impacts: {len(response.impacts)}")\n'


def script(case: CaseSpec, body: System) -> str:
    """The script; ``body`` is what ``case.body`` builds. Files are expected beside it, by their
    names without folders."""
    theories = [theory.build() for theory in case.theories]
    own = _own_modules([case.body.kind, *(theory.name for theory in case.theories)])
    parts = [_heading(case), "\n".join(["import rocksteady as rs", *own])]
    setup = [f"body = {_body(case.body)}"]
    if case.motion is not None:
        setup += _felt(case.motion, case.floor, body)
    given = [Code("body")] + [Code("motion")] * (case.motion is not None)
    options: dict[str, Any] = dict(case.start)
    if case.until != "rest":
        options["until"] = case.until
    written = [_theory(TheorySpec.of(theory)) for theory in theories]
    if len(written) > 1:
        setup.append("theories = [\n" + "".join(f"    {one},\n" for one in written) + "]")
        run = call("rs.simulate", *given, formulation=Code("theory"), **options)
        loop = f"response = {run}\n{PRINTED}" + IMPACTS * all(t.has_impacts for t in theories)
        indented = "".join(f"    {line}\n" for line in loop.splitlines())
        parts += ["\n".join(setup), f"for theory in theories:\n{indented}"]
        return "\n\n".join(parts)
    if written:
        options = {"formulation": written[0], **options}
    run = call("rs.simulate", *given, **options)
    shown = PRINTED + IMPACTS * (theories or [usual(body)])[0].has_impacts
    parts += ["\n".join(setup), f"response = {run}\n{shown}"]
    return "\n\n".join(parts)


def files_of(case: CaseSpec) -> list[str]:
    """The names of the files that the script reads."""
    given = [case.body.values.get(name) for name in body_class(case.body.kind).files]
    if case.motion is not None:
        made = case.motion.stochastic
        given += [case.motion.file, case.motion.record, made.like if made else None]
    return list(dict.fromkeys(beside(path) for path in given if path is not None))


def beside(path: Any) -> str:
    """The name of a file without its folders."""
    return PurePosixPath(str(path)).name


def _heading(case: CaseSpec) -> str:
    lines = [f"# {mark()}", "# The same numbers as in the studio: run it with Python."]
    names = files_of(case)
    if names:
        lines.append(f"# It reads {', '.join(map(literal, names))}: keep that in this folder.")
    if case.motion is not None and case.motion.record is not None:
        lines.append("# The other components of the station are looked for beside that file.")
    preset = PRESETS.get(case.body.preset or "")
    if preset is not None and preset.assumed:
        lines += textwrap.wrap(preset.assumed, 98, initial_indent="# ", subsequent_indent="# ")
    return "\n".join(lines)


# -- the parts -------------------------------------------------------------------------------------


def _body(spec: BodySpec) -> Code:
    kind = body_class(spec.kind)
    values = {n: v for n, v in spec.told.items() if n != "preset"}
    values |= {n: beside(values[n]) for n in kind.files if isinstance(values.get(n), str)}
    way, arguments = kind.made_by(values, spec.preset)
    return call(f"{_class(spec.kind, SYSTEMS)}{f'.{way}' if way else ''}", **arguments)


def _theory(spec: TheorySpec) -> Code:
    return call(_class(spec.name, TheorySpec.registry), **spec.told)


def _class(name: str, registry: Registry) -> str:
    """As one writes it: ``rs.Block``, or the class of another module that was imported."""
    found = registry.name_of(registry.named(name))
    return found.partition(":")[2].partition(".")[0] if ":" in found else f"rs.{found}"


def _own_modules(names: list[str]) -> list[str]:
    """The imports of classes that are not ours: "my_module:Statue"."""
    imports = []
    for module, _, path in (name.partition(":") for name in names if ":" in name):
        if not all(word.isidentifier() for word in (*module.split("."), *path.split("."))):
            raise InputError(f"{module}:{path} is not a class that a script can import.")
        imports.append(f"from {module} import {path.partition('.')[0]}")
    return list(dict.fromkeys(imports))


def _felt(motion: MotionSpec, floor: FloorSpec | None, body: System) -> Iterator[str]:
    """The lines that make ``motion``, what the body feels."""
    ground = "motion" if floor is None else "ground"
    yield f"{ground} = {_source(motion, unit_of(body))}"
    for step in _steps(motion):
        yield f"{ground} = {ground}{step}"
    if floor is not None:
        yield f"floor = {_floor(floor)}"
        yield "motion = floor.motion(ground)"


def _steps(motion: MotionSpec) -> Iterator[str]:
    """What is done to the motion, in the order of `MotionSpec.build`."""
    if not motion.vertical:
        yield ".with_vertical(None)"
    if motion.scale is not None:
        yield call(".scaled", motion.scale)
    elif motion.pgv is not None:
        yield call(".scaled_to", pgv=motion.pgv)
    elif motion.pga is not None:
        yield call(".scaled_to", pga=Code(f"{literal(motion.pga)} * {literal(GRAVITY_UNIT)}"))
    if motion.name is not None:
        yield call(".renamed", motion.name)


def _source(motion: MotionSpec, body: Rocker | None) -> Code:
    reading = {n: v for n, v in motion.reading.items() if v not in (None, False)}
    if motion.pulse is not None:
        units = {} if body is None else {"p": body.p, "alpha": body.alpha, "g": body.g}
        name, arguments = pulse_call(motion.pulse, **units)
        return call(f"rs.pulses.{name}", **arguments)
    if motion.samples is not None:
        about = motion.samples.model_dump(exclude_defaults=True)
        if "meta" in about:
            about["meta"] = restored_meta(about["meta"])
        return call("rs.Motion", about.pop("accel"), **about)
    if motion.stochastic is not None:
        return _stochastic(motion.stochastic)
    if motion.record is not None:
        return call("rs.read_record", beside(motion.record), **reading)
    if motion.file is None:
        raise InputError("A folder has many motions: a script of one run needs one of its files.")
    if motion.components is not None:
        found = call(
            "rs.read_motions", beside(motion.file), components=motion.components, **reading
        )
        return Code(f"next(iter({found}.values()))")
    if motion.component is not None:
        reading = {"component": motion.component} | reading
    return call("rs.read_motion", beside(motion.file), **reading)


def _stochastic(source: Stochastic) -> Code:
    """One motion, made alone or one of so many."""
    options: dict[str, Any] = {"seed": source.seed}
    if source.only is not None and source.sets is not None:
        drawn = call("rs.stochastic.sample_parameters", source.sets, source.seed)
        options["parameters"] = Code(f"{drawn}[{(source.only - 1) * source.sets // source.count}]")
    elif source.like is not None:
        record = call("rs.read_motion", beside(source.like))
        options["parameters"] = call("rs.stochastic.fit", record)
    elif source.arias is not None:
        six = {name: getattr(source, name) for name in SIX}
        options["parameters"] = call("rs.stochastic.Parameters", **six)
    if source.dt != Stochastic.model_fields["dt"].default:
        options["dt"] = source.dt
    if source.components > 1:
        options["components"] = source.components
    if source.only is not None:
        return call("rs.stochastic.one_of", source.only, **options)
    return Code(f"{call('rs.stochastic.ensemble', source.count, **options)}[0]")


def _floor(floor: FloorSpec) -> Code:
    if floor.modes is None:
        return call("rs.Floor", **floor.model_dump(exclude_defaults=True))
    built = floor.build()
    periods, weights, dampings = (list(column) for column in zip(*built.modes, strict=True))
    return call("rs.Floor.of_modes", periods, weights, dampings)
