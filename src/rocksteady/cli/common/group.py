"""A group of commands that are imported when called, and whose errors are sentences."""

import math
import os
import re
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module
from typing import Any, ClassVar

import typer
from typer.core import TyperCommand, TyperGroup
from typer.main import get_command

from rocksteady.errors import InputError, RocksteadyWarning, heard

NAME_CLASSES = ("assess", "ensemble", "monitor")
"""Commands that read files in which classes are named."""
BAD_INPUT = 2  # exit status, as for a wrong option
INTERRUPTED = 130
USAGE_ERROR: Any = typer.BadParameter.__base__  # it has no public name


class LazyGroup(TyperGroup):
    """Lists the commands of ``table`` and imports the module of the one that is called."""

    table: ClassVar[dict[str, str]]

    def __init__(self, **attributes: Any) -> None:
        super().__init__(**attributes)
        for name, summary in self.table.items():
            self.add_command(TyperCommand(name, help=summary))  # for listing only

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        name, command, rest = super().resolve_command(ctx, args)
        if name in self.table:
            command = command_named(name)
        return name, command, rest

    def invoke(self, ctx: Any) -> Any:
        with in_plain_words():
            try:
                return super().invoke(ctx)
            except USAGE_ERROR as error:
                sentence = not_a_number(error) or where_it_belongs(error) or in_a_plane(error)
                if sentence is None:
                    raise
                raise InputError(sentence) from None


def command_named(name: str) -> Any:
    """The command behind `rocksteady NAME`, with all its options."""
    command = get_command(import_module(f"rocksteady.cli.{name}").app)
    command.name = name
    if name in NAME_CLASSES:
        command.params.append(_allow_modules_option())
    return _with_overwrite(command)


def _with_overwrite(command: Any) -> Any:
    """The same command; wherever there is an option ``--out`` there is ``--overwrite``, too."""
    for inner in getattr(command, "commands", {}).values():
        _with_overwrite(inner)
    out = next((given for given in command.params if "--out" in given.opts), None)
    if out is not None:
        option = _overwrite_option(out.rich_help_panel)
        command.params.insert(command.params.index(out) + 1, option)
    return command


def _overwrite_option(panel: str | None) -> Any:
    """As Typer makes it for a command: it has no other way to make an option."""

    def given(value: bool) -> None:
        from rocksteady.cli.common.files import OVERWRITE  # here: help needs none of it

        OVERWRITE.set(value)

    option = typer.Option(
        False,
        "--overwrite",
        help="Also replace files that rocksteady did not write.",
        callback=given,
        expose_value=False,
        rich_help_panel=panel,
    )

    def command(overwrite: bool = option) -> None:
        """Has this option only."""

    return _option_of(command)


def _allow_modules_option() -> Any:
    """The modules that may be imported where a file names a class of theirs."""

    def given(context: typer.Context, value: list[str] | None) -> None:
        from rocksteady.registry import allow_modules

        context.with_resource(allow_modules(*(value or ())))

    option = typer.Option(
        None,
        "--allow-modules",
        metavar="MODULE",
        help="A module of your own that the file may name, as module:Class; may be repeated. No "
        "other is imported.",
        callback=given,
        is_eager=True,
        expose_value=False,
    )

    def command(allow_modules: list[str] | None = option) -> None:
        """Has this option only."""

    return _option_of(command)


def _option_of(command: Any) -> Any:
    app = typer.Typer(add_completion=False)
    app.command()(command)
    return get_command(app).params[0]


@contextmanager
def in_plain_words() -> Iterator[None]:
    """Errors and warnings that concern the user become one line each on the error stream.

    With ROCKSTEADY_DEBUG=1 an error keeps its traceback.
    """
    with warnings.catch_warnings(), heard():
        _show_warnings()
        try:
            yield
        except KeyboardInterrupt:
            _say("Stopped.", look="yellow")
            raise typer.Exit(INTERRUPTED) from None
        except BrokenPipeError:  # whoever reads us has closed the pipe: Typer knows what to do
            raise
        except (InputError, OSError, MemoryError) as error:
            if os.environ.get("ROCKSTEADY_DEBUG", "0") not in ("", "0"):
                raise
            _say(_sentence(error), label="Error: ")
            raise typer.Exit(BAD_INPUT) from None


def _sentence(error: Exception) -> str:
    if isinstance(error, MemoryError):
        return f"This needs more memory than there is: shorten the run. {error}"
    if isinstance(error, OSError) and error.strerror:
        return f"{error.strerror}{': ' + str(error.filename) if error.filename else ''}."
    return str(error)


# What people type bare after a command, and where it belongs.
_MOTION = "a ground motion is given as in --motion {0}"
_BARE = {
    "simulate": _MOTION,
    "compare": _MOTION,
    "monitor": "samples come from standard input, as in rocksteady monitor … < {0}, or from a file "
    "that grows, with --follow {0}",
}


def where_it_belongs(error: Any) -> str | None:
    """Where a word too many belongs; None if something else is wrong."""
    match = re.search(r"unexpected extra arguments?\S* \((\S+).*\)", error.message)
    place = _BARE.get(error.ctx.info_name) if error.ctx else None
    return f"{match[1]} stands alone: {place.format(match[1])}." if match and place else None


def in_a_plane(error: Any) -> str | None:
    """What to give instead of the base of a body in space; None if something else is wrong."""
    match = re.match(r"No such option: (--base|--diameter)\b", error.message)
    if match is None or error.ctx is None:
        return None
    if error.ctx.info_name == "assess":
        return (
            f"{match[1]} describes a body in space, and rocksteady assess reads a file that "
            "describes a block in a plane: rocksteady assess --example > object.toml, then write "
            "the narrowest side of the base there as width. rocksteady risk takes a body in space."
        )
    command = error.ctx.info_name
    over = " A map over directions: rs.analysis.direction_map (docs/space_views.md)."
    return (
        f"{match[1]} describes a body in space, and rocksteady {command} needs a block in a plane: "
        "give --height and --width. rocksteady simulate, compare, fragility and risk take a body "
        f"in space.{over if command == 'overturning' else ''}"
    )


_KINDS = {
    "float_parsing": "a number: write it with a decimal point and without a unit",
    "int_parsing": "a whole number: write it in digits only",
}
# What people type after a number, and how much of which unit it is.
_UNITS = {
    "mm": ("m", 1e-3),
    "cm": ("m", 1e-2),
    "m": ("m", 1.0),
    "kg": ("kg", 1.0),
    "t": ("kg", 1e3),
    "g": ("g", 1.0),
    "s": ("s", 1.0),
    "ms": ("s", 1e-3),
    "rad": ("rad", 1.0),
    "deg": ("rad", math.pi / 180),
    "°": ("rad", math.pi / 180),
    "%": ("", 1e-2),
    "": ("", 1.0),
}


def not_a_number(error: Any) -> str | None:
    """For an option that should be a number: what was typed, what the option means with its unit
    and, if that is clear, what to write. None if something else is wrong."""
    cause: Any = error.__cause__
    problems = cause.errors() if hasattr(cause, "errors") else [{"type": ""}]
    kind = _KINDS.get(problems[0]["type"])
    if kind is None:
        return None
    typed, option = str(problems[0]["input"]), (error.param.opts[0] if error.param else "")
    meaning = getattr(error.param, "help", None) or ""
    text = f"{option} {typed} is not {kind}"
    value = _meant(typed, meaning) if "whole" not in kind else None
    text += "." if value is None else f", as in {option} {value:g}."
    return f"{text} {option} means: {meaning}" if meaning else text


def _meant(typed: str, meaning: str) -> float | None:
    """The number in the option's own unit, of "50cm" or "0,5"; None if it could be anything."""
    match = re.fullmatch(r"([-+]?\d+(?:[.,]\d+)?(?:[eE][-+]?\d+)?)\s*([a-z°%]*)", typed.strip())
    if match is None or match[2] not in _UNITS:
        return None
    unit, factor = _UNITS[match[2]]
    wanted = unit or r"(?:m|kg|s|g|rad)"
    fits = re.search(rf", {wanted}(?![\w/²³])", meaning) is not None
    if (unit and not fits) or (match[2] == "%" and fits):
        return None
    return float(match[1].replace(",", ".")) * factor


def _show_warnings() -> None:
    """Show our own warnings, each once, in one line; leave others as Python shows them."""
    shown: set[str] = set()
    python_shows = warnings.showwarning

    def show(message: Warning | str, category: type[Warning], *details: Any, **more: Any) -> None:
        if not issubclass(category, RocksteadyWarning):
            python_shows(message, category, *details, **more)
        elif str(message) not in shown:
            shown.add(str(message))
            _say(in_options(str(message)), label="Warning: ", look="yellow")

    warnings.simplefilter("always", RocksteadyWarning)
    warnings.showwarning = show


def in_options(warning: str) -> str:
    """A warning in which arguments are named as the command line does."""
    return re.sub(r"\brule='(\w+)'", r"--rule \1", warning)  # of stones


def _say(text: str, *, label: str = "", look: str = "") -> None:
    from rocksteady.cli.common.output import say  # here: help needs no Rich of ours

    say(text, label=label, look=look)
