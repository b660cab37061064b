"""What `rocksteady ensemble` prints: what came out, and how far a store is."""

import time
from typing import TYPE_CHECKING, Any

from rich.console import Console
from rich.table import Table
from rich.text import Text

from rocksteady.analysis.shares.table import UNKNOWN
from rocksteady.cli.common.output import (
    STATUS_LOOK,
    box_table,
    gauge,
    headed_table,
    out,
    print_files,
)
from rocksteady.cli.ensemble.grid import has_grid, peak_in_words, print_grid
from rocksteady.cli.ensemble.progress import RunProgress, print_skipped
from rocksteady.ensembles.labels import naming_of, strength
from rocksteady.ensembles.progress import significant, spaced, span
from rocksteady.ensembles.store import Store
from rocksteady.status import Status
from rocksteady.version import environment, version

if TYPE_CHECKING:
    import xarray

    from rocksteady.ensembles.study_file import ReadStudy


LONGEST = 12  # rows of a table by system or motion
MOST_SCALES = 24  # rows of a table by scale
SHORT = 3.0  # s: the rate of a shorter run is that of getting ready
BAR = 20  # characters


# -- results -----------------------------------------------------------------------------------


def of_run(
    read: "ReadStudy",
    data: "xarray.Dataset",
    store: Store | None,
    progress: RunProgress,
    seconds: float,
    files: list[str],
) -> dict[str, Any]:
    """The results and how they were made, for JSON."""
    from rocksteady.analysis.shares.summary import of_dataset

    study = read.study
    return {
        "rocksteady": version(),
        "environment": environment(),
        "name": read.notes["name"],
        "system_type": data.attrs["system_type"],
        "systems": len(study.systems),
        "motions": len(study.motions),
        "scales": len(study.scales),
        "formulation": study.formulation.name,
        "backend": study.backend,
        "precision": study.precision,
        **of_dataset(data),
        "made_now": progress.made,
        "seconds": seconds,
        "compiled": progress.work.compiled,
        "runs_per_second": progress.made / seconds if progress.made else None,
        "skipped": dict(study.skipped),
        "verticals_left_out": list(study.verticals),
        "store": None if store is None else str(store.folder),
        "files": files,
    }


def print_run(about: dict[str, Any]) -> None:
    """What became of the runs, then by system, scale and motion."""
    console, table = out(), box_table()
    if about["name"]:
        table.add_row(Text("Study", "bold"), Text(about["name"], "bold"))
    table.add_row("runs", _made(about))
    if about.get("floor"):
        table.add_row("on the", about["floor"])
    table.add_section()
    _add_statuses(table, about, console)
    if about["standing_peak_mean"] is not None:
        low, high = about["standing_peak_mean"], about["standing_peak_largest"]
        of = peak_in_words(about)
        table.add_row(
            "peaks of those that stand", f"{low:.3g} on average, {high:.3g} at most ({of})"
        )
    console.print(table)
    fallen = "collapsed" if _built(about) else "fallen"
    axes = ["system", "scale", "motion"]
    if has_grid(about):
        whole = print_grid(about, fallen, console)
        axes.remove("system")  # over all scales, whichever they are: that says less
        if whole and about["systems"] > 1:
            axes.remove("scale")
    for axis in axes:
        _print_shares(about, axis, fallen, console)
    print_files(about["files"], console)
    if about["store"]:
        what = "  wrote " if about["made_now"] else "  results in "
        console.print(Text.assemble((what, "dim"), (about["store"], "bold")), soft_wrap=True)
        opened = f"rs.open_ensemble({about['store']!r})"
        console.print(Text.assemble(("  to go on in Python: ", "dim"), opened), soft_wrap=True)


def _built(about: dict[str, Any]) -> bool:
    """Whether the systems are buildings, which collapse, and not bodies, which fall."""
    from rocksteady.bodies import SYSTEMS

    return not SYSTEMS.named(about["system_type"]).rocks


def _made(about: dict[str, Any]) -> str:
    text = spaced(about["runs"])
    if not about["made_now"]:
        return f"{text}, all there already"
    if about["made_now"] < about["runs"]:
        text += f", {spaced(about['made_now'])} of them now"
    text += f", in {span(about['seconds'])}"
    if about["compiled"]:
        return f"{text}, compiling included"
    if about["seconds"] < SHORT:
        return text
    return f"{text} ({spaced(significant(about['runs_per_second']))} runs/s)"


def print_status(about: dict[str, Any]) -> None:
    """How far a store is."""
    console, table = out(), box_table()
    share = about["done"] / about["runs"]
    done = "complete" if share == 1 else f"{100 * share:.1f} %"
    table.add_row(Text("Store", "bold"), Text(about["store"], "bold"))
    if about["name"]:
        table.add_row("study", Text(about["name"]))
    runs = f"{spaced(about['done'])} of {spaced(about['runs'])}, {done}"
    table.add_row("runs", gauge(share, "cyan", console, BAR) + f"  {runs}")
    parts = f"{about['parts_done']} of {about['parts']} parts"
    table.add_row("files", f"{parts}, {_size(about['bytes'])}")
    if about["last_written"] is not None:
        ago = span(max(time.time() - about["last_written"], 0.0))
        table.add_row("last written", f"{ago} ago")
    if about["done"]:
        table.add_section()
        _add_statuses(table, about, console)
    console.print(table)
    for text in about["warnings"]:
        console.print(Text(f"Warning: {text}", "yellow"), soft_wrap=True)
    print_skipped(about["skipped"], console)
    print_files(about.get("files", ()), console)
    if share < 1:
        console.print("  The command that began it goes on from here.", style="dim")


def _add_statuses(table: Table, about: dict[str, Any], console: Console) -> None:
    """Shares are of the runs that gave an answer; the others are counted."""
    total = sum(about["status"].values())
    for status, count in about["status"].items():
        if status == str(Status.FAILED):
            none = f"{spaced(count)} of {spaced(total)}: no answer, and in no share"
            table.add_row(status, Text(none, STATUS_LOOK[status]))
            continue
        share = count / (total - about["failed"])
        bar = gauge(share, STATUS_LOOK[status], console, BAR)
        table.add_row(status, bar + f"  {_percent(share)}  {spaced(count)}")


def _print_shares(about: dict[str, Any], axis: str, fallen: str, console: Console) -> None:
    """The share of runs that fell or collapsed. If there are many: the worst systems or motions, or
    evenly chosen scales."""
    rows = about.get(f"fallen_by_{axis}") or []
    if len(rows) < 2:
        return
    name, by, which = None, axis, ""
    if axis == "scale":
        name = naming_of(about)
        by = "scale" if name is None else name.measure.short
        every, count = -(-len(rows) // MOST_SCALES), len(rows)
        rows = rows[::-every][::-1]  # the last one always
        which = f": {len(rows)} of {spaced(count)} strengths" if len(rows) < count else ""
    elif len(rows) > LONGEST:
        rows = sorted(rows, key=lambda row: -(row["share"] or 0))[:LONGEST]
        which = f": the {LONGEST} worst"
    table = headed_table([])
    table.add_column(by)
    table.add_column(f"{fallen}, by {by}{which}")
    for row in rows:
        label = strength(row[axis], name) if axis == "scale" else str(row[axis])
        bar = gauge(row["share"] or 0, STATUS_LOOK["overturned"], console, BAR)
        share = UNKNOWN if row["share"] is None else _percent(row["share"])
        table.add_row(Text(label), bar + f"  {share}")
    console.print(table)


def _size(count: float) -> str:
    for unit in ("bytes", "kB", "MB"):
        if count < 1000:
            return f"{count:.3g} {unit}"
        count /= 1000
    return f"{count:.3g} GB"


def _percent(share: float) -> str:
    return f"{100 * share:6.2f} %"
