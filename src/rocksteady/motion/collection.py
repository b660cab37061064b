"""The motions in a folder, a file or an archive, by name: all of them, or the horizontal ones."""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from fnmatch import fnmatchcase
from os import PathLike
from pathlib import Path
from typing import Unpack

from rocksteady.errors import InputError, warn
from rocksteady.motion.catalogue import PLAIN, File, Read, contents, files_below
from rocksteady.motion.motion import Motion
from rocksteady.motion.provenance import choice
from rocksteady.motion.readers.common.motions import pick
from rocksteady.motion.readers.common.options import Options, ReadOptions
from rocksteady.motion.readers.common.words import azimuth_of
from rocksteady.motion.upwards import is_vertical

COMPONENTS = ("horizontal", "vertical", "all")
UNREADABLE = ("stop", "skip")
NEVER_CONFIRM = ("sensitivity", "decimal", "differentiate")
"""Options that a file which can be read without them does not compare with what it states."""

Choose = Callable[[str, Mapping[str, Motion]], Mapping[str, Motion]]
"""Takes the file's name and its components; returns those that are wanted."""


class UndecidedError(InputError):
    """A file can be read, but it is not clear which of its components to take."""


class Motions(dict[str, Motion]):
    """Motions by name, as :func:`rocksteady.ensemble` takes them, and what was left out."""

    skipped: dict[str, str]
    """Files that could not be read, with the reason."""
    verticals: tuple[str, ...]
    """Vertical components that were left out."""

    def __init__(
        self,
        motions: Mapping[str, Motion] | None = None,
        skipped: Mapping[str, str] | None = None,
        verticals: tuple[str, ...] = (),
    ) -> None:
        super().__init__(motions or {})
        self.skipped, self.verticals = dict(skipped or {}), tuple(verticals)

    def __reduce__(self) -> tuple[object, ...]:
        return Motions, (dict(self), self.skipped, self.verticals)

    def __repr__(self) -> str:
        text = f"<{len(self)} motion{'s' * (len(self) != 1)}"
        if self.skipped:
            text += f"; {len(self.skipped)} skipped, see .skipped"
        if self.verticals:
            s = "s" * (len(self.verticals) != 1)
            text += f"; {len(self.verticals)} vertical component{s} left out, see .verticals"
        return text + ">"


def distinct(names: tuple[str, ...], what: str = "motion") -> tuple[str, ...]:
    """Distinct names: "motion 3" for one without a name, "name (2)" for a repeated one."""
    seen: dict[str, int] = {}
    taken = set(names)
    out = []
    for i, name in enumerate(names):
        name = name or f"{what} {i + 1}"
        seen[name] = seen.get(name, 0) + 1
        while seen[name] > 1 and f"{name} ({seen[name]})" in taken:
            seen[name] += 1
        out.append(name if seen[name] == 1 else f"{name} ({seen[name]})")
    return tuple(out)


def read_motions(
    path: str | PathLike[str],
    *,
    components: str = "horizontal",
    component: str | None = None,
    pattern: str = "*",
    unreadable: str = "stop",
    progress: Callable[[int, int], object] | None = None,
    **options: Unpack[ReadOptions],
) -> Motions:
    """The motions of a folder and the folders below it, of an archive or of one file.

    Returns a dictionary from names to motions, in the order of the files' names, which can be
    passed to :func:`rocksteady.ensemble`. A name is the file's, relative to ``path``
    (``archive.zip/file`` within an archive), followed by ``/component`` if a file has several.

    Parameters
    ----------
    path
        The folder, archive or file.
    components
        ``"horizontal"`` (all that are not vertical; a file with three or more components that does
        not say which one is vertical is refused), ``"vertical"`` or ``"all"``.
    component
        Take only the component of this name from each file instead.
    pattern
        Which files of a folder to read, such as ``"*.AT2"``.
    unreadable
        ``"stop"``: a file that cannot be read is an error. ``"skip"``: it is left out, and listed
        with the reason in ``.skipped`` of the result.
    progress
        Called with the number of files done and of all files.
    **options
        As in `read_motion`; used for the files that cannot be read without them.

    Examples
    --------
    >>> motions = read_motions("records", unreadable="skip")  # doctest: +SKIP
    >>> motions.skipped  # doctest: +SKIP
    {'notes.txt': "notes.txt: has no known format; ..."}
    """
    choice("components", components, COMPONENTS)
    if not isinstance(pattern, str):
        raise InputError(f"pattern = {pattern!r} is not allowed: give one such as '*.AT2'.")
    choose = chooser(components) if component is None else only(component)
    return gather(path, choose, Options.checked(**options), pattern, unreadable, progress)


def gather(
    path: str | PathLike[str],
    choose: Choose,
    options: Options,
    pattern: str = "*",
    unreadable: str = "stop",
    progress: Callable[[int, int], object] | None = None,
) -> Motions:
    """As `read_motions`; ``choose`` selects the components of each file."""
    choice("unreadable", unreadable, UNREADABLE)
    files = [file for file in files_below(path) if matches(file[1], pattern)]
    if not files:
        raise InputError(f"{path} has no file that matches {pattern!r}.")
    found, unused = Motions(), options._asdict()
    for done, file in enumerate(files, start=1):
        read = list(contents(file, PLAIN))
        if options != PLAIN and _lacks(read):
            unused = {}
            read = list(contents(file, options))
        elif options != PLAIN and _is_one_record(path, read):  # which they must not contradict
            unused = {name: unused[name] for name in NEVER_CONFIRM}
            read = list(contents(file, options, at_once=True))
        for name, item in _wanted(read, choose, found):
            if isinstance(item, Motion):
                found[name] = item
            elif unreadable == "skip":
                found.skipped[name] = str(item)
            else:
                raise type(item)(f"{item}{_how_to_go_on(name, files)}") from item
        if progress is not None:
            progress(done, len(files))
    if not found:
        raise _nothing(path, found, len(files))
    if any(unused.values()):
        given = ", ".join(f"{name} = {value!r}" for name, value in unused.items() if value)
        warn(f"{given} is not used: {Path(path).name} can be read without it.", stacklevel=4)
    return found


def _lacks(read: list[Read]) -> bool:
    """Whether something in a file could not be read."""
    return any(isinstance(motions, InputError) for _, motions in read)


def _is_one_record(path: str | PathLike[str], read: list[Read]) -> bool:
    """Whether a file was named, not a folder, and is one record."""
    return Path(path).is_file() and [name for name, _ in read] == [Path(path).name]


def _how_to_go_on(name: str, files: list[File]) -> str:
    """Advice for a file among others that is not a record, or is damaged."""
    if len(files) == 1:
        return ""
    suffix = Path(name).suffix
    others = Counter(Path(file[1]).suffix for file in files if Path(file[1]).suffix != suffix)
    kind = others.most_common(1)[0][0] if others else ".AT2"
    return (
        f' If a folder holds more than records, say which files to read, pattern = "*{kind}", or '
        'skip and list those that cannot be read, unreadable = "skip".'
    )


def matches(name: str, pattern: str) -> bool:
    """Whether a file's name within its folder, or its last part, matches a pattern."""
    return fnmatchcase(name, pattern) or fnmatchcase(name.rpartition("/")[2], pattern)


def _wanted(
    read: list[Read], choose: Choose, found: Motions
) -> Iterator[tuple[str, Motion | InputError]]:
    """The wanted motions of one file by name, and the errors of those that cannot be read."""
    for whole, motions in read:
        if isinstance(motions, InputError):
            yield whole, motions
            continue
        try:
            wanted = choose(whole, motions)
        except UndecidedError:
            raise
        except InputError as error:
            yield whole, error
            continue
        for component, motion in motions.items():
            own = whole if len(motions) == 1 else f"{whole}/{component}"
            if component in wanted:
                yield own, motion if motion.name else motion.renamed(own)
            elif is_vertical(motion):
                found.verticals = (*found.verticals, own)


def _nothing(path: str | PathLike[str], found: Motions, files: int) -> InputError:
    if found.skipped:
        name, reason = next(iter(found.skipped.items()))
        return InputError(
            f"None of the {files} files in {path} could be read as a motion. The first is "
            f"{name}: {reason}"
        )
    what = f"only vertical components ({found.verticals[0]})" if found.verticals else "no component"
    instead = '; components = "vertical" takes them' if found.verticals else ""
    return InputError(
        f"{path} has {what} of the kind that was asked for: there is nothing to use{instead}."
    )


# -- which components ------------------------------------------------------------------------------


def chooser(components: str) -> Choose:
    """The horizontal or vertical ones of each file, or all of them."""
    if components == "horizontal":
        return horizontals
    if components == "vertical":
        return lambda name, motions: {c: m for c, m in motions.items() if is_vertical(m)}
    return lambda name, motions: motions


def horizontals(name: str, motions: Mapping[str, Motion]) -> Mapping[str, Motion]:
    """All that are not vertical; an error if none of three or more is known to be vertical."""
    level = {c: motion for c, motion in motions.items() if not is_vertical(motion)}
    unsure = [c for c, m in level.items() if m.meta.get("azimuth", azimuth_of(c)) is None]
    if len(level) == len(motions) >= 3 and unsure:
        raise InputError(
            f"{name}: it does not say which of its components {', '.join(motions)} is vertical: "
            f"choose one, component = {next(iter(motions))!r}, or give them names such as NS, EW "
            "and UD."
        )
    return level


def only(component: str) -> Choose:
    """The component with this name."""

    def choose(name: str, motions: Mapping[str, Motion]) -> Mapping[str, Motion]:
        motion = pick(dict(motions), component, Path(name))
        return {label: one for label, one in motions.items() if one is motion}

    return choose
