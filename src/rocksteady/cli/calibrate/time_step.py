"""`rocksteady calibrate time-step`: the step of a law, or the campaign that gives a law."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from rich.text import Text

import rocksteady as rs
from rocksteady.cli.common.files import FIGURES, planned
from rocksteady.cli.common.inputs import BlockOptions, Json, Quiet, grouped
from rocksteady.cli.common.options import out_option, panel
from rocksteady.cli.common.output import headed_table, out, print_files, report, say
from rocksteady.cli.common.progress import Work
from rocksteady.cli.common.runs import HERE, RunOptions, kept_runs, when_stopped
from rocksteady.errors import InputError

if TYPE_CHECKING:
    from rocksteady.analysis.timestep.result import Campaign
    from rocksteady.theories.dissipation.law import TimeStepLaw

KINDS = {"figure": FIGURES, "accepted cases": (".csv",)}
FOLDER = ("time-step-law.png", "time-step-validation.png", "time-step-cases.csv")
_law = panel("One step from a law")
_campaign = panel("The campaign")


@grouped
def time_step(
    block: BlockOptions,
    k_n: Annotated[float | None, _law("Stiffness of the bed, N/m³; 5e8.")] = None,
    r: Annotated[float | None, _law("Energy kept at an impact; Housner's unless given.")] = None,
    law: Annotated[
        str | None,
        _law("daltri2024, rocksteady-rigid, rocksteady-elastic; default: the one of --alpha-hht."),
    ] = None,
    campaign: Annotated[bool, _campaign("Make the 1600 runs and fit a law.", "--campaign")] = False,
    body: Annotated[str, _campaign("rigid or elastic.")] = "rigid",
    alpha_hht: Annotated[
        float | None, _campaign("α of the integration rule, −0.5 to 0 (default: 1 − √2).")
    ] = None,
    validate: Annotated[
        bool, _campaign("Also 720 runs that are not in the fit.", "--validate")
    ] = False,
    runs: RunOptions = HERE,
    out: Annotated[
        list[str] | None,
        out_option("Figure (.png .svg .pdf) or accepted cases (.csv); repeatable."),
    ] = None,
    as_json: Json = False,
    quiet: Quiet = False,
) -> None:
    """The time step that makes impacts cost what they should, from a law; or fit such a law.

    \b
    The step for one block, and what it is worth:
      [cyan]rocksteady calibrate time-step --height 4.2 --width 0.6 --r 0.94[/cyan]
    The campaign of D'Altri et al. (2024), 10 blocks × 4 beds × 40 steps:
      [cyan]rocksteady calibrate time-step --campaign --validate -o results/[/cyan]
    """
    files = planned(out, KINDS, FOLDER)
    how = rs.NumericalDissipation(body=_known(body), alpha_hht=alpha_hht, law=law)
    if campaign:
        if block.given() or k_n is not None or r is not None:
            raise InputError("--campaign has its own blocks, beds and r: leave out those options.")
        about = _run_campaign(how, runs, files, validate=validate, quiet=quiet)
    else:
        if files or validate or runs != HERE:
            raise InputError(
                "--out, --store, --executor and --validate belong to --campaign: add it."
            )
        about = _step(block, k_n, r, how)
    print_tables = _print_campaign if campaign else _print_step
    report(about, print_tables, as_json=as_json, quiet=quiet)


# -- one step --------------------------------------------------------------------------------------


def _step(
    block: BlockOptions, k_n: float | None, r: float | None, how: rs.NumericalDissipation
) -> dict[str, Any]:
    made = block.build()
    bed, kept = 5e8 if k_n is None else k_n, made.r if r is None else r
    step = rs.time_step(made, bed, kept, law=how.step_law(), body=how.body)
    return {
        "block": made.label,
        "k_n": bed,
        "r": kept,
        "dt": step.dt,
        "law": step.law.name,
        "coefficients": list(step.law.coefficients),
        "body": how.body,
        "alpha_hht": step.law.alpha_hht,
        "expected_error_r": step.expected_error_r,
        "valid": step.valid,
        "outside": list(step.outside),
        "advice": step.advice,
    }


def _print_step(about: dict[str, Any]) -> None:
    console = out()
    console.print(
        Text.assemble(
            f"{about['block']}, k_n = {about['k_n']:.3g} N/m³, r = {about['r']:.4g}: ",
            (f"Δt = {about['dt']:.5g} s", "bold"),
            f" ({about['law']})",
        )
    )
    if about["valid"]:
        console.print(f"expect r to be off by about {about['expected_error_r']:.3f}")
    if about["advice"]:
        say(about["advice"], label="Warning: ", look="yellow")


def _known(body: str) -> str:
    if body not in ("rigid", "elastic"):
        raise InputError(f"--body {body} is not known: choose rigid or elastic.")
    return body


# -- the campaign ----------------------------------------------------------------------------------


def _run_campaign(
    how: rs.NumericalDissipation,
    runs: RunOptions,
    files: list[Path],
    *,
    validate: bool,
    quiet: bool,
) -> dict[str, Any]:
    from rocksteady.analysis import timestep

    steps = timestep.STEPS if how.alpha_hht is None else timestep.LONG_STEPS

    def rock(text: str, store: Path | None, **grid: Any) -> Campaign:
        with when_stopped(lambda: kept_runs(store)):
            return timestep.campaign(
                how,
                steps=steps,
                **grid,
                store=store,
                executor=runs.executor,
                progress=work.on(text),
            )

    with Work(quiet=quiet) as work:
        made = rock(
            f"Rocking 10 blocks on 4 beds with {len(steps)} time steps, {how.body} body …",
            runs.store,
        )
        law = made.fit()
        checked = None
        if validate:
            checked = rock(
                "Rocking blocks and beds that are not in the fit …",
                runs.store and runs.store.with_name(f"{runs.store.name}-validation"),
                blocks=timestep.VALIDATION_BLOCKS,
                stiffnesses=timestep.VALIDATION_STIFFNESSES,
            )
        about = {
            "body": made.body,
            "spacing": made.formulation.spacing,
            "alpha_hht": how.rule.alpha,
            **_counts(made),
            "law": "dt = -A1 (R h/b)^A2 k_n^A3 ln r",
            "coefficients": list(law.coefficients),
            "r2": law.r2,
            "paper_r2": made.r2("daltri2024"),
            "groups": made.misses(law),
        }
        if checked is not None:
            fits = {"r2": checked.r2(law), "paper_r2": checked.r2("daltri2024")}
            about["validation"] = {**_counts(checked), **fits}
        about["files"] = _write(made, checked, law, files, work)
    return about


def _counts(made: Campaign) -> dict[str, int]:
    accepted = made.accepted
    return {"runs": made.runs, "cases": int(accepted.size), "accepted": int(accepted.sum())}


def _write(
    made: Campaign, checked: Campaign | None, law: TimeStepLaw, files: list[Path], work: Work
) -> list[str]:
    written = []
    for path in files:
        work.on(f"Writing {path.name} …")
        if path.suffix == ".csv":
            made.save_cases(path)
        elif "validation" not in path.stem:
            made.plot(path, law)
        elif checked is not None:
            checked.plot(path, law)
        else:
            continue
        written.append(str(path))
    return written


def _print_campaign(about: dict[str, Any]) -> None:
    A1, A2, A3 = about["coefficients"]
    console = out()
    console.print(
        f"Δt = −{A1:.4g} (R h/b)^{A2:.4f} k_n^{A3:.4f} ln r".replace("^-", "^−"), style="bold"
    )
    console.print(
        f"{about['body']} body, {about['runs']} runs, {about['accepted']} of {about['cases']} "
        f"cases accepted (e_G ≤ 7 %): R² = {about['r2']:.3f}; "
        f"the paper's law: {about['paper_r2']:.3f}"
    )
    if "validation" in about:
        other = about["validation"]
        console.print(
            f"not in the fit, {other['runs']} runs, {other['accepted']} of {other['cases']} cases: "
            f"R² = {other['r2']:.3f}; the paper's law: {other['paper_r2']:.3f}"
        )
    table = headed_table([], ("h/b", "k_n [N/m³]", "accepted", "best Δt / law", "scatter"))
    for row in about["groups"]:
        table.add_row(
            f"{row['slenderness']:g}",
            f"{row['k_n']:.3g}",
            f"{row['accepted']} of {row['cases']}",
            f"{row['best_over_law']:.2f}",
            f"{row['scatter']:.2f}",
        )
    console.print(table)
    print_files(about["files"], console)
