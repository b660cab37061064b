"""Giouvanidis and Dimitrakopoulos 2016: histories of the rigid block (Figs. 5, 6) and of the
flexible oscillator (Fig. 7)."""

import math
from functools import cache

import numpy as np

from rocksteady.bodies import Block, FlexibleOscillator
from rocksteady.motion import Motion
from rocksteady.motion.generate.pulses import sine
from rocksteady.numerics.types import Array
from rocksteady.reproduce.drawing import OURS, REFERENCE, lean, long_table, sheet, thinned
from rocksteady.reproduce.verdict import Effort, Result, Verdict, between, claim, number
from rocksteady.response import Response
from rocksteady.simulation import simulate
from rocksteady.theories import Housner, Nonsmooth
from rocksteady.theories.contract import UPLIFT
from rocksteady.view import style
from rocksteady.view.labels import signs

SLENDER = Block(height=9.8, width=1.4)  # 2b = 1.4 m, H/b = 7
STOCKY = Block(height=1.4 / math.sqrt(2), width=1.4)  # H/b = 1/√2
LONG = 20.0  # s, of Fig. 6
RESTITUTIONS = (0.0, 0.5, 1.0)
AT_THE_LIMIT = (
    "At H/b = 1/√2, as printed, the formulas of stocky (Eqs. 13, 14, 21) and of slender blocks "
    "(Eqs. 17, 18, 20) give one and the same impact: Λ_N1 = 0, ġ_N1⁺ = 0, η = −ε. The LCP is "
    "degenerate there: corner 1 takes no impulse and does not leave. Rounding can lift it by "
    "1e-16 of the closing speed, a hop whose own impact changes nothing; neighbouring blocks "
    "move alike. The three ε of panel (a) are not in the text: 0, 0.5 and 1 here."
)


@cache
def released(block: Block, epsilon: float, duration: float) -> Response:
    """Free rocking from α/3."""
    ground, how = Motion.zeros(duration, 1e-3), Nonsmooth(epsilon=epsilon)
    return simulate(block, ground, how, theta0=block.alpha / 3, duration=duration)


def spin_ratios(response: Response, count: int) -> Array:
    """φ'⁺/φ'⁻ of the first impacts."""
    hit = response.impacts
    return np.asarray(hit.omega_after[:count] / hit.omega_before[:count])


def bounces(response: Response, count: int) -> Array:
    """φ'⁺/φ'⁻ of the first bounces, less the impacts that end a hop of rounding's height."""
    ratios = spin_ratios(response, len(response.impacts))
    return ratios[ratios < 0][:count]


def differs_from_neighbours(epsilon: float) -> float:
    """How far the blocks whose height is the next smaller and larger number move from the stocky
    one, |Δθ|/α over the first second."""
    off = 0.0
    for height in (np.nextafter(STOCKY.height, 0), np.nextafter(STOCKY.height, 9)):
        other = released(Block(height=float(height), width=STOCKY.width), epsilon, 1.0)
        theta = released(STOCKY, epsilon, 1.0).theta
        off = max(off, float(np.abs(other.theta - theta).max()))
    return off / STOCKY.alpha


def corner_gaps(response: Response) -> tuple[Array, Array]:
    """g_N of the two corners [m]: how high each is above the ground."""
    width, lift = response.rocker.weak_side.b * 2, response.column("lift")
    rise = width * np.sin(np.abs(response.theta))
    right = response.theta > 0  # leans to the right: the left corner is in the air
    return lift + np.where(right, rise, 0.0), lift + np.where(right, 0.0, rise)


# -- Fig. 5 ----------------------------------------------------------------------------------------


def figure_5(effort: Effort) -> Result:
    """Free rocking of a stocky and of a slender block."""
    stocky = {e: released(STOCKY, e, 3.0) for e in RESTITUTIONS}
    slender = released(SLENDER, 0.0, 20.0)
    with sheet("Giouvanidis & Dimitrakopoulos 2016, Fig. 5: free rocking from α/3", 110) as fig:
        (rotation, slender_rotation), (gap, slender_gaps) = fig.subplots(2, 2, sharex="col")
        looks = ((style.INK, "-"), (style.BLUE, "-"), (style.VERMILLION, (0, (4, 1.5))))
        for (e, run), (colour, dashes) in zip(stocky.items(), looks, strict=True):
            line = {"color": colour, "ls": dashes, "label": f"ε = {e:g}"}
            rotation.plot(*lean(run), **line)
            gap.plot(run.time, 1e3 * corner_gaps(run)[0], **line)
        rotation.set(title="Stocky, H/b = 1/√2", ylabel="rotation θ/α [–]", ylim=(-0.02, 0.42))
        rotation.legend(loc="upper right", ncols=3)
        gap.set(xlabel="time [s]", ylabel=signs("gap g_N [mm]"))
        gap.set_title("Gap of the lifted corner; the other stays down")
        slender_rotation.plot(*lean(slender), color=style.BLUE)
        slender_rotation.set_title("Slender, H/b = 7, ε = 0")
        left, right = corner_gaps(slender)
        slender_gaps.plot(slender.time, 1e3 * left, color=style.BLUE, label="left corner")
        slender_gaps.plot(slender.time, 1e3 * right, color=style.ORANGE, label="right corner")
        slender_gaps.set(xlabel="time [s]", title="Gaps of both corners")
        slender_gaps.legend(loc="upper right", ncols=2)
    bounce = bounces(stocky[0.5], 5)
    elastic = stocky[1.0].energy
    ratios = spin_ratios(slender, 10)
    onto = min(float(run.theta.min()) for run in stocky.values())
    gaps = np.minimum(*corner_gaps(slender))
    verdicts = [
        number("ε = 0, stocky: impacts until full contact", 1, len(stocky[0.0].impacts), 0,
               "a count", basis="stated"),
        number("ε = 0.5, stocky: φ'⁺/φ'⁻ of five bounces (Eq. 21), farthest", -0.5,
               float(bounce[np.argmax(np.abs(bounce + 0.5))]), 1e-11, "rounding", basis="derived"),
        number("ε = 1, stocky: energy lost over 3 s, relative", 0.0,
               float(np.abs(elastic / elastic[0] - 1).max()), 1e-9,
               "the integrator's error in many bounces", basis="stated"),
        claim("the stocky block does not change pivot", "bounces on one corner",
              "so" if onto >= 0 else "changes", onto >= 0),
        number("stocky blocks with the next smaller and larger height, |Δθ|/α in 1 s", 0.0,
               max(map(differs_from_neighbours, RESTITUTIONS)), 1e-9,
               "rounding, in 1 s of bounces", basis="derived",
               remark="On either side of H/b = 1/√2: the solutions of both regimes coincide."),
        number("slender: φ'⁺/φ'⁻ of ten impacts, farthest", 0.97,
               float(ratios[np.argmax(np.abs(ratios - 0.97))]), 0.005, "two decimals"),
        claim("slender, ε = 0: pure rocking", "one corner always on the ground",
              f"lowest corner at most {1e3 * gaps.max():.2g} mm up", gaps.max() < 1e-9),
    ]  # fmt: skip
    parts = {}
    runs = {f"stocky, ε = {e:g}": run for e, run in stocky.items()}
    for name, run in (runs | {"slender, ε = 0": slender}).items():
        left, right = corner_gaps(run)
        parts[name] = {
            "time [s]": run.time,
            "theta/alpha [-]": lean(run)[1],
            "gap of the left corner [m]": left,
            "gap of the right corner [m]": right,
        }
    return Result(long_table(parts, "block"), fig, verdicts, AT_THE_LIMIT)


# -- Fig. 6 ----------------------------------------------------------------------------------------


def figure_6(effort: Effort) -> Result:
    """A sine pulse on the slender block: LCP against Housner with η = 0.97."""
    pulse = sine(0.45 * SLENDER.g, omega=5.75 * SLENDER.p, tail=LONG)
    ours = simulate(SLENDER, pulse, Nonsmooth(), duration=LONG)
    classical = simulate(SLENDER, pulse, Housner(eta=0.97), duration=LONG)
    title = "Giouvanidis & Dimitrakopoulos 2016, Fig. 6: sine pulse 0.45 g, ω = 5.75 p"
    with sheet(title, 90) as fig:
        ground, ax = fig.subplots(2, 1, sharex=True, height_ratios=(1, 2.4))
        ground.plot(ours.time, ours.ground[0] / SLENDER.g, color=style.INK, lw=0.8)
        ground.set_ylabel("ground [g]")
        ax.plot(*lean(classical), label="Housner, η = 0.97", **REFERENCE)
        ax.plot(*lean(ours), label="nonsmooth, ε = 0", **OURS)
        ax.set(xlabel="time [s]", ylabel="rotation θ/α [–]", xlim=(0, LONG))
        ax.legend(loc="lower right", ncols=2)
    off = float(np.abs(ours.theta - classical.theta).max()) / SLENDER.alpha
    verdicts = [
        number("largest |Δθ|/α from the classical model", 0.0, off, 1e-9,
               '"complete agreement": the same equations, so rounding only', basis="stated"),
        claim("pure rocking", "rocks, one corner always on the ground",
              f"{len(ours.impacts)} impacts, peak θ/α {ours.peak:.3f}",
              len(ours.impacts) > 0 and ours.column("lift").max() < 1e-9),
    ]  # fmt: skip
    table = {
        "time [s]": ours.time,
        "ground [g]": ours.ground[0] / SLENDER.g,
        "theta/alpha nonsmooth [-]": lean(ours)[1],
        "theta/alpha Housner [-]": lean(classical)[1],
    }
    note = "The pulse starts upwards here; a pulse of the other sign gives the mirrored motion."
    return Result(thinned(table), fig, verdicts, note)


# -- Fig. 7 ----------------------------------------------------------------------------------------


def oscillator(height: float = 10.0) -> FlexibleOscillator:
    """Of this height, which drops out of the figure."""
    return FlexibleOscillator.giouvanidis2016(height)


def _angle(body: FlexibleOscillator) -> float:
    """The paper's α of the figure, tan α = b/H."""
    return math.atan2(body.b, body.height)


SAMPLES = 4000  # of the sine pulse: an error of the ground of 2e-7 of its amplitude
# by SciPy, from event to event: tests/validation/giouvanidis2016/column_events.py
UPLIFTS = (0.28116673, 0.97100294, 2.34508833)  # pt
IMPACTS = (0.83979907, 2.34508833, 2.35061615, 3.76842695, 5.06799030, 6.30233990)  # pt
STRIKES = (0.19847860, -0.15715945, -0.00047128, 0.19134870, -0.10597804, 0.15393616)  # φ'/p
EXTREMES = ((1.68352952, 0.22209300), (3.19012458, -0.19411680))  # pt, φ/φ_cr
BENDING = 1.73207131  # largest |u|/u_cr
IMPACTS_IN_ALL = 31
CLOSE = 1e-5
WHY_CLOSE = "the pulse is 4000 straight lines here, and their error grows to 3e-6 in 31 impacts"


@cache
def shaken(height: float = 10.0) -> Response:
    """Under a sine pulse of 5 g tan α at 7 p."""
    body = oscillator(height)
    amplitude, omega = 5 * body.g * math.tan(_angle(body)), 7 * body.p
    dt = 2 * math.pi / omega / SAMPLES
    return simulate(body, sine(amplitude, omega=omega, dt=dt), Nonsmooth(), duration=20 / body.p)


def _against_events(run: Response, body: FlexibleOscillator, u_critical: float) -> list[Verdict]:
    """The curves of the figure in numbers: the paper prints none, so they are independent ones."""
    p, n = body.p, len(IMPACTS)
    times = run.events[run.events[:, 1] == UPLIFT][: len(UPLIFTS), 0]
    hits = run.impacts
    extremes = np.array([run.theta.max(), run.theta.min()]) / body.alpha
    pairs = (
        ("pt of the first three uplifts", p * times - UPLIFTS),
        ("pt of the first six impacts", p * hits.time[:n] - IMPACTS),
        ("φ'/p before the first six impacts", hits.omega_before[:n] / p - STRIKES),
        ("largest rotation to either side, φ/φ_cr", extremes - np.array(EXTREMES)[:, 1]),
        ("largest bending, |u|/u_cr",
         np.array([np.abs(run.column("u")).max() / u_critical - BENDING])),
    )  # fmt: skip
    return [
        *(number(f"{what}: largest difference from SciPy's", 0.0, float(np.abs(off).max()), CLOSE,
                 WHY_CLOSE, basis="independent") for what, off in pairs),
        number("impacts until pt = 20", IMPACTS_IN_ALL, len(hits), 0, "a count",
               basis="independent"),
    ]  # fmt: skip


def figure_7(effort: Effort) -> Result:
    """The flexible oscillator: rocks and never leaves the ground."""
    run, body = shaken(), oscillator()
    critical = body.alpha
    lifted = float(run.events[run.events[:, 1] == UPLIFT][0, 0])
    u, time = run.column("u"), body.p * run.time
    u_critical = abs(float(np.interp(lifted, run.time, u)))
    title = "Giouvanidis & Dimitrakopoulos 2016, Fig. 7: flexible oscillator, sine pulse"
    with sheet(title, 115) as fig:
        ground, rotation, bending = fig.subplots(3, 1, sharex=True, height_ratios=(1, 1.6, 1.6))
        push = run.ground[0] / (body.g * math.tan(_angle(body)))
        ground.plot(time, push, color=style.INK, lw=0.8)
        ground.set(ylabel="a/(g tan α) [–]", title="Ground")
        for ax in (rotation, bending):
            ax.axhline(0, color=style.FAINT, lw=0.8)
        rotation.plot(time, run.theta / critical, color=style.BLUE)
        rotation.set_ylabel(signs("φ/φ_cr [–]"))
        rotation.set_title("Rotation, over that of unstable equilibrium of the rigid body")
        bending.plot(time, u / u_critical, color=style.ORANGE, lw=0.9)
        bending.set(xlabel="time pt [–]", ylabel=signs("u/u_cr [–]"), xlim=(0, 20))
        bending.set_title("Bending of the column, over that at the first uplift")
        points = [*EXTREMES, *((when, 0.0) for when in IMPACTS)]
        rotation.plot(*np.transpose(points), "o", ms=4, mfc="none", color=style.VERMILLION,
                      label="SciPy")  # fmt: skip
        rotation.legend(loc="upper right")
    weight = body.mass * body.g
    other = shaken(2.5)
    scale = float(np.abs(other.theta - np.interp(2 * other.time, run.time, run.theta)).max())
    verdicts = [
        between("smallest normal force over the weight", 0.0, math.inf,
                float(run.column("least_normal")[-1]) / weight,
                "pure rocking: no flight, the base is always pressed down"),
        claim("it rocks", "to both sides", f"φ/φ_cr from {(run.theta / critical).min():.2f} to "
              f"{(run.theta / critical).max():.2f}",
              run.theta.min() < -0.1 * critical and run.theta.max() > 0.1 * critical),
        between("largest |φ|/φ_cr", 0.0, 1.0, float(np.abs(run.theta).max() / critical),
                "it stands"),
        number("a body of a quarter the size in dimensionless time, |Δφ|/φ_cr", 0.0,
               scale / critical, 1e-4, "the figure's dimensionless data determine it; error of the "
               "interpolation between samples", basis="derived"),
        *_against_events(run, body, u_critical),
    ]  # fmt: skip
    table = {"pt [-]": time, "phi/phi_cr [-]": run.theta / critical, "u/u_cr [-]": u / u_critical}
    note = (
        "At ε = 0 every impact ends in full contact, since the column's velocity jumps, too; then "
        "the base uplifts on the other side: pure rocking means no flight. α = 0.1 and H/b = 10 "
        "are both printed: H/b = 10 is taken, α = 0.0997. The text available to us has no "
        "number of the curves: the circles come from other code, SciPy's integration from event to "
        "event with each impact an LCP solved by enumeration."
    )
    return Result(thinned(table), fig, verdicts, note)
