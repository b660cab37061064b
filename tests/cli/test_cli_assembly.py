"""`rocksteady assembly`: makers, info, limit, push, simulate, fragility, report."""

import json

import pytest
from typer.testing import CliRunner

import rocksteady as rs
from rocksteady.cli import app
from rocksteady.cli.common import progress
from rocksteady.marks import ours

PULSE = ("-m", "pulse:sine,a=0.35g,T=1,dt=0.01")
MAKERS = {
    "drums": "--count 3 --height 6 --width 1 --top-width 0.8",
    "pedestal": "--statue 0.5x1.8 --pedestal 0.8x1.0",
    "vase-on-plinth": "--height 1.4 --width 0.35",
    "portal": "--width 0.5 --height 2 --beam-length 4.5 --beam-height 0.25 --columns 3",
    "trilith": "--width 1 --height 4 --gap 2 --lintel-height 0.8",
    "arch": "--voussoirs 7 --ring 1.5 --radius 10 --embrace 157.5",
    "buttressed-arch": "--voussoirs 7 --ring 0.4 --span 3 --rise 1.2 --buttress-width 1.2 "
    "--buttress-height 2 --courses 2",
    "wall": "--rows 4 --columns 4 --length 0.4 --height 0.2 --opening 0.4,0,0.8,0.4",
}
STONES = {
    "drums": 3, "pedestal": 2, "vase-on-plinth": 2, "portal": 4, "trilith": 3, "arch": 7,
    "buttressed-arch": 11,
}  # fmt: skip


@pytest.fixture
def run(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    runner = CliRunner()

    def call(*words):
        return runner.invoke(app, ["assembly", *words])

    return call


@pytest.fixture
def told(run):
    def call(*words):
        result = run(*words, "--json")
        assert result.exit_code == 0, result.output
        return json.loads(result.stdout)

    return call


def refused(result):
    assert result.exit_code == 2, result.output
    text = " ".join(result.output.split())
    assert "Traceback" not in text and "`" not in text
    return text


def column(count=3, **options):
    rs.Assembly.drums(count, 6.0, 1.0, **options).save("column.json")
    return "column.json"


# -- made and read ---------------------------------------------------------------------------------


@pytest.mark.parametrize("name", MAKERS)
def test_makers_write_what_python_makes(told, tmp_path, name):
    about = told(name, *MAKERS[name].split(), "-o", "it.json", "-o", "it.dxf", "-o", "it.svg")
    made = rs.read_assembly("it.json")
    assert about["moving"] == made.stone_count == STONES.get(name, made.stone_count)
    for path in tmp_path.iterdir():
        assert ours(path), path
        assert len(rs.read_assembly(path)) == len(made)


def test_a_maker_writes_again_over_its_own_files_only(run, tmp_path):
    words = ("drums", *MAKERS["drums"].split(), "-o", "it.compas.json")
    assert run(*words).exit_code == run(*words).exit_code == 0
    (tmp_path / "it.compas.json").write_text("{}")
    assert "was not written by rocksteady" in refused(run(*words))


def test_info_says_what_stands_on_what(told):
    about = told("info", column())
    on = {stone["name"]: stone["stands_on"] for stone in about["each"]}
    assert on == {"ground": [], "drum 1": ["ground"], "drum 2": ["drum 1"], "drum 3": ["drum 2"]}
    assert (about["joints"], about["friction"]) == (3, [0.7])
    assert about["mass"] == pytest.approx(12000)


def test_info_draws_and_converts(run, tmp_path):
    result = run("info", column(), "-o", "column.png", "-o", "other.svg")
    assert result.exit_code == 0 and "column of 3 stones" in result.output
    assert (tmp_path / "column.png").stat().st_size > 5000
    assert len(rs.read_assembly("other.svg")) == 4


def test_many_stones_are_not_all_listed(run):
    rs.Assembly.wall(5, 4, 0.4, 0.2).save("wall.json")
    assert "12 of 22 stones are shown" in run("info", "wall.json").output


def test_what_a_drawing_does_not_say_is_said(told):
    column(density=2600.0)
    told("info", "column.json", "-o", "column.dxf", "-o", "column.compas.json")
    assert told("info", "column.json")["assumed"] == ""
    assert told("info", "column.compas.json")["assumed"] == ""
    about = told("info", "column.dxf")
    assert "density 2000 kg/m³, thickness 1 m and friction 0.7 were assumed" in about["assumed"]
    assert about["mass"] == pytest.approx(12000)
    about = told("info", "column.dxf", "--density", "2600", "--thickness", "1")
    assert about["assumed"].endswith("friction 0.7 was assumed; change it by --friction.")
    assert about["mass"] == pytest.approx(15600)


def test_friction_of_the_file_may_be_replaced(told):
    assert told("info", column(), "--friction", "0.4")["friction"] == [0.4]


# -- joints ----------------------------------------------------------------------------------------


def test_forces_at_rest_are_the_weight_above(told, run, tmp_path):
    """Three drums of 2 m × 1 m × 1 m, 2000 kg/m³: 39.24 kN each."""
    about = told("forces", column(), "-o", "f.csv", "-o", "f.png")
    found = {tuple(sorted(one["stones"])): one["normal"] for one in about["joints"]}
    weight = 4000 * 9.81
    assert found["drum 1", "ground"] == pytest.approx(3 * weight, rel=1e-6)
    assert found["drum 2", "drum 3"] == pytest.approx(weight, rel=1e-6)
    assert (tmp_path / "f.csv").exists() and (tmp_path / "f.png").exists()
    text = run("forces", "column.json").output
    assert "117.7" in text and "e-" not in text.partition("joint ")[2]


def test_forces_at_a_moment_of_a_motion(told):
    """At 0.1 g no joint opens: the lowest carries the push of all stones."""
    push = ("-m", "pulse:sine,a=0.1g,T=1,dt=0.01", "--at", "0.25")
    about = told("forces", column(), *push)
    lowest = max(about["joints"], key=lambda one: one["normal"])
    push_over_weight = 0.1 * 9.80665 / 9.81  # the unit g over the gravity that acts on the stones
    assert abs(lowest["tangential"]) == pytest.approx(push_over_weight * lowest["normal"], rel=1e-6)
    assert about["time"] == pytest.approx(0.25)


# -- pushed ----------------------------------------------------------------------------------------


def test_limit_of_oppenheims_arch(told, tmp_path):
    rs.Assembly.arch(7, 1.5, radius=10.0, embrace=157.5).save("arch.json")
    about = told("limit", "arch.json", "-o", "mechanism.png")
    assert about["multiplier"] == pytest.approx(0.370009738022, rel=1e-9)
    assert about["hinges"] == 4 and about["sliding_joints"] == 0
    assert (tmp_path / "mechanism.png").exists()


def test_limit_of_a_column_by_direction(told):
    for direction in ("right", "left", "1,0", "-1,0", "2,0"):
        about = told("limit", column(), "--direction", direction)
        assert about["multiplier"] == pytest.approx(1 / 6)
    assert told("limit", column(), "--direction", "down")["status"] == "cannot fail"


def test_limit_with_an_estimate(run):
    rs.Assembly.wall(4, 4, 0.4, 0.2, friction=0.3).save("wall.json")
    result = run("limit", "wall.json", "--estimate")
    assert result.exit_code == 0
    assert "without lifting" in result.output and "upper bound" in result.output


def test_limit_with_a_simulated_push_beside_it(told, run):
    """A block 1 m wide and 0.5 m high slides at its friction of 0.3, before it tips."""
    rs.Assembly.drums(1, 0.5, 1.0, friction=0.3).save("block.json")
    about = told("limit", "block.json", "--dynamic")
    assert about["dynamic"]["holds"] < 0.3 < about["dynamic"]["falls"] < 0.304
    assert about["dynamic"]["runs"] >= 2 and about["direction"] == "to the right"
    text = " ".join(run("limit", "block.json", "--dynamic", "--estimate").output.split())
    assert "simulated push" in text and "take the lowest value" in text
    assert "one and the same load" in run("limit", column(1), "--dynamic").output
    assert told("limit", "block.json", "--direction", "down", "--dynamic")["dynamic"] is None


def test_what_is_said_of_sliding_names_options(run):
    rs.Assembly.wall(6, 5, 0.4, 0.2, friction=0.65).save("wall.json")
    text = " ".join(run("limit", "wall.json", "--no-sliding").output.split())
    assert "Sliding was left out (--no-sliding)" in text
    text = refused(run("push", "wall.json"))
    assert "at λ = 0.5976 cannot be followed" in text
    assert "give --no-sliding" in text and "rocksteady assembly limit --dynamic" in text
    assert run("push", "wall.json", "--no-sliding").exit_code == 0


def test_push_follows_the_curve_down(told, tmp_path):
    about = told("push", column(1), "-o", "c.csv", "-o", "c.png")
    assert about["multiplier"] == pytest.approx(1 / 6)
    assert about["ultimate_displacement"] == pytest.approx(0.5, rel=1e-6)
    assert ours(tmp_path / "c.csv")


# -- shaken ----------------------------------------------------------------------------------------


def test_simulate_tells_which_stones_fell_and_the_residual(told, run):
    about = told("simulate", column(), *PULSE)
    assert about["status"] == "collapsed" and about["rule"] == "located"
    assert [one["stone"] for one in about["fallen"]] == ["drum 3"]
    assert about["residual"] < 1e-4 and about["unconverged"] == 0
    assert "Impacts and slips were located in time" in about["told"]
    output = " ".join(run("simulate", column(), *PULSE).output.split())
    assert "It collapses at " in output and " s: drum 3 falls." in output
    assert "worst residual" in output
    assert about["step_error"]["step"] <= 0.005
    assert about["told"].endswith(about["step_error"]["sentence"])
    assert output.count(about["step_error"]["sentence"]) == 1


def test_a_film_follows_the_rubble(told, tmp_path):
    about = told("simulate", column(), *PULSE, "-o", "fall.gif")
    assert about["formulation"]["rubble"] is True
    assert len(about["fallen"]) == 3
    assert (tmp_path / "fall.gif").stat().st_size > 10_000


def test_it_is_let_go_without_a_motion(told):
    about = told("simulate", column())
    assert about["status"] == "at rest" and about["motion"] is None
    assert about["sentence"] == "It stands, and no stone moves."


def test_the_rule_may_be_chosen(told):
    words = ("simulate", column(), "-m", "pulse:sine,a=0.1g,T=1,dt=0.01", "--until", "motion")
    about = told(*words, "--rule", "stepped", "--step", "0.002")
    assert about["rule"] == "stepped" and about["formulation"]["step"] == 0.002
    assert "Moreau and Jean" in about["told"]


def test_springs_in_the_joints_tell_their_step_and_no_error_of_it(told, run):
    assembly = rs.Assembly.drums(2, 4.0, 0.8)
    assembly.save("column.json")
    words = ("simulate", "column.json", "-m", "pulse:sine,a=3,T=0.8", "--formulation", "joints")
    about = told(*words)
    own = rs.simulate(assembly, rs.pulses.sine(3.0, period=0.8), rs.JointDissipation())
    assert about["peak"] == own.peak and about["told"] == own.formulation.told(own)
    assert about["time_step"] == own.motion.dt and about["joints"][0]["below"] == "ground"
    assert about["step_error"] is None and about["impacts"] is None
    assert "residual" not in about and "rule" not in about
    text = " ".join(run(*words).output.split())
    assert "time step │ 18.9 ms" in text and "residual" not in text and "halving" not in text


@pytest.mark.parametrize(
    ("words", "options"),
    [
        ("--r 0.9 --k-n 1e9", {"r": 0.9, "k_n": 1e9}),
        ("--step 0.01 --set spacing=0.05", {"dt": 0.01, "spacing": 0.05}),
        ("--set alpha_hht=-0.2 --set law=hht-0.2", {"alpha_hht": -0.2, "law": "hht-0.2"}),
    ],
)
def test_options_of_springs_are_those_of_python(told, words, options):
    assembly = rs.Assembly.drums(1, 4.0, 0.8)
    assembly.save("column.json")
    how = ("--formulation", "joints", *words.split(), "--until", "motion")
    about = told("simulate", "column.json", "-m", "pulse:sine,a=3,T=0.8", *how)
    own = rs.JointDissipation(**options)
    run = rs.simulate(assembly, rs.pulses.sine(3.0, period=0.8), own, until="motion")
    assert (about["peak"], about["time_step"]) == (run.peak, run.motion.dt)


def test_a_study_file_moves_stones_on_springs(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "study.toml").write_text(
        '[systems]\nkind = "Assembly"\nstructure = "drums"\ncount = 2\nheight = 4.0\nwidth = 0.8\n'
        '[[motions]]\npulse = "sine,a=3,T=0.8"\n'
        '[formulation]\nname = "joints"\nk_n = 1e9\n'
        '[run]\nstore = "runs"\n'
    )
    done = CliRunner().invoke(app, ["ensemble", "study.toml", "--quiet"])
    assert done.exit_code == 0, done.output
    push, how = rs.pulses.sine(3.0, period=0.8), rs.JointDissipation(k_n=1e9)
    own = rs.simulate(rs.Assembly.drums(2, 4.0, 0.8), push, how)
    assert rs.open_ensemble("runs").peak.item() == own.peak


def test_a_film_of_springs_ends_with_the_first_fall(told, tmp_path):
    words = ("-m", "pulse:sine,a=0.8g,T=1.5,dt=0.01", "--formulation", "joints")
    about = told("simulate", column(), *words, "-o", "fall.gif")
    assert len(about["fallen"]) == 1 and "rubble" not in about["formulation"]
    assert (tmp_path / "fall.gif").stat().st_size > 10_000


def test_springs_warn_where_their_law_was_not_fitted(told, run):
    rs.Assembly.drums(1, 1.0, 0.5).save("stocky.json")
    words = ("simulate", "stocky.json", *PULSE, "--formulation", "joints")
    (warning,) = told(*words)["warnings"]
    assert "was not fitted for h/b = 2" in warning and "rs." not in warning
    assert "so the loss is not known" in " ".join(run(*words).output.split())


def test_fragility_of_springs_in_the_joints(told):
    motions = [word for T in (0.8, 1, 1.5) for word in ("-m", f"pulse:sine,a=1g,T={T},dt=0.01")]
    words = ("fragility", column(1), *motions, "--levels", "0.05,0.2,0.6")
    assert "collapsed" in json.dumps(told(*words, "--formulation", "joints"))


def test_fragility_is_the_share_of_collapses(told, tmp_path):
    words = ("--levels", "0.1,0.2,0.3,0.6", "--store", "runs", "-o", "f.csv")
    motions = [word for T in (0.8, 1, 1.5) for word in ("-m", f"pulse:sine,a=1g,T={T},dt=0.01")]
    about = told("fragility", column(1), *motions, *words)
    assert "collapsed" in json.dumps(about)
    assert (tmp_path / "runs").is_dir() and ours(tmp_path / "f.csv")
    assert told("fragility", column(1), *motions, *words) == about  # from the store


def test_report_has_mechanism_runs_and_residual(told, tmp_path):
    about = told("report", column(), *PULSE, "-m", "pulse:sine,a=0.1g,T=1,dt=0.01", "-o", "r.html")
    page = (tmp_path / "r.html").read_text(encoding="utf-8")
    assert "It collapses under 1 of 2 motions." in page
    assert "In all runs: Impacts and slips were located in time" in page
    assert page.count("<svg") == 4  # the stones, the mechanism, two runs
    assert "rocksteady assembly report column.json" in page
    assert about["multipliers"]["left"] == pytest.approx(1 / 6)
    assert about["residual"] < 1e-4
    assert "half and a quarter of the step" in about["told"] and "error of the step [mm]" in page
    assert all(one["step_error"]["sentence"] in page for one in about["runs"])
    assert ours(tmp_path / "r.html")


def test_report_scales_and_needs_no_motion(told, tmp_path):
    assert "No motion was given." in told("report", column())["answer"]
    assert (tmp_path / "column.html").exists()
    runs = told("report", column(), *PULSE, "--pga", "0.01")["runs"]
    assert [run["status"] for run in runs] == ["at rest"]


def test_report_prints_both_sides_once_where_they_are_alike(run, tmp_path):
    alike = " ".join(run("report", column(1)).stdout.split())
    assert "pushed to the right or to the left" in alike and alike.count("pushed to") == 1
    leaning = rs.Stone(([(0, 0), (1, 0), (1.2, 2), (0.2, 2)],), name="leaning")
    floor = rs.Stone.box(-2, -0.5, 4, 0.5, fixed=True, name="ground")
    rs.Assembly((floor, leaning), friction=2.0).save("leaning.json")
    two = " ".join(run("report", "leaning.json").stdout.split())
    assert "pushed to the right" in two and "pushed to the left" in two and "or to" not in two


def test_report_shows_its_progress_unless_told_otherwise(run, monkeypatch):
    heard = []

    class Heard(progress.Work):
        def __init__(self, *, quiet=False):
            heard.append(quiet)
            super().__init__(quiet=quiet)

    monkeypatch.setattr(progress, "Work", Heard)
    for words in ((), ("--json",), ("--quiet",)):
        assert run("report", column(1), *words).exit_code == 0
    assert heard == [False, True, True]


# -- refused ---------------------------------------------------------------------------------------

REFUSED = {
    "info nothing.json": "There is no file nothing.json",
    "info --ground": "Give the file of the stones",
    "info column.json --drawing-unit parsec": "--drawing-unit parsec is not known",
    "info column.json --ground": "--ground cannot be given with this file",
    "info unit.svg": "has no unit: give its --drawing-unit",
    "info unit.svg --drawing-unit m": "add a ground with --ground",
    "drums --count 3 --height -1 --width 1": "--height -1.0 m is not allowed",
    "arch --voussoirs 5 --ring 0.3 --span 3": "--span and --rise",
    "wall --rows 2 --columns 2 --length 1 --height 1 --bond flemish": "no bond 'flemish'",
    "wall --rows 2 --columns 2 --length 1 --height 1 --opening 1,2": "--opening 1,2 is not",
    "pedestal --statue big --pedestal 1x1": "--statue big is not a size",
    "limit column.json --direction north": "--direction north is not a direction",
    "limit column.json --estimate --no-sliding": "were both given",
    "limit column.json --dynamic --no-sliding": "were both given",
    "forces column.json --at 2": "--at needs --motion",
    "forces column.json -m pulse:sine,a=0.1g,T=1": "--motion needs --at",
    "forces column.json -m pulse:sine,a=0.1g,T=1 --at 9": "--at 9 s is outside the motion",
    "forces column.json -m pulse:sine,a=2g,T=4,dt=0.01 --at 4": "--at 4 s is after the run",
    "push column.json --control roof": "There is no stone 'roof'",
    "simulate column.json --rule magic": "--rule magic is not known",
    "simulate column.json --share 2": "--share 2.0 is not allowed",
    "simulate column.json --step -1": "--step -1.0 s is not allowed",
    "simulate column.json --formulation joints --rule located": "does not take --rule",
    "simulate column.json --formulation joints --share 0.2": "does not take --share: the time step",
    "simulate column.json --formulation joints --r 2": "--r 2.0 is not allowed",
    "simulate column.json --formulation joints --k-n -1": "--k-n -1.0 N/m³ is not allowed",
    "simulate column.json --formulation joints --step 0.3": "--step 0.3 s is too long to resolve",
    "simulate column.json --formulation joints --step 0.01 --r 0.9": (
        "--step 0.01 and --r 0.9 were both given"
    ),
    "simulate column.json --formulation joints --set spacing=0": "--set spacing 0.0 m is not",
    "simulate column.json --formulation joints --set alpha_hht=-0.07": "Give --step",
    "simulate column.json --formulation joints --set colour=red": "is not known for joints",
    "simulate column.json --formulation rubber": "There is no formulation 'rubber'",
    "simulate column.json --formulation housner": "moves a Block, not an Assembly",
    "simulate column.json --r 0.9": "blocks does not take --r",
    "simulate column.json --k-n 1e9": "blocks does not take --k-n",
    "simulate column.json -m pulse:sine,a=1gtana,T=1": "needs the block's alpha",
    "simulate column.json --pga 0.3": "--pga needs --motion",
    "simulate column.json -o a.docx": "a.docx cannot be written",
    "fragility column.json": "There are no ground motions",
    "fragility column.json -m pulse:sine,a=1g,T=1 --confidence 2": "--confidence 2 is not allowed",
    "report column.json -o r.pdf": "must end in .html",
    "report column.json -o column.json": "must end in .html",
    "info column.json -o column.json": "would be written over what is read",
}


@pytest.mark.parametrize("words", REFUSED)
def test_errors_are_sentences(run, tmp_path, words):
    column()
    shape = '<svg xmlns="http://www.w3.org/2000/svg"><rect width="1" height="1"/></svg>'
    (tmp_path / "unit.svg").write_text(shape)
    assert REFUSED[words] in refused(run(*words.split()))


def test_advice_names_options(run, monkeypatch):
    """As if a run had left a contact problem unsolved."""
    doubt = "Left unsolved: try rule='stepped'."
    monkeypatch.setattr(rs.BlockDynamics, "doubt", lambda *_: doubt)
    monkeypatch.setattr(rs.BlockDynamics, "told", lambda *_: doubt)
    text = run("simulate", column(), *PULSE).output
    assert text.count("Left unsolved: try --rule stepped.") == 2 and "rule='" not in text


def test_too_many_motions_for_a_page(run):
    motions = [word for i in range(21) for word in ("-m", f"pulse:sine,a=0.1g,T={1 + i / 10}")]
    assert "21 motions are too many for one page" in refused(run("report", column(), *motions))
