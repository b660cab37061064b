"""Columns, arches and walls of loose stones."""

from typing import Annotated, Any, Literal

from fastapi import APIRouter, Body, Request, Response
from pydantic import Field, FiniteFloat

from rocksteady.specs import BodySpec, CaseSpec, Spec
from rocksteady.studio.answering import answered
from rocksteady.studio.problems import PROBLEMS
from rocksteady.studio.routes.simulate import PULSE
from rocksteady.studio.taking.names import attachment, file_name

router = APIRouter(tags=["stonework"])

ANSWERS = "rocksteady.studio.answers.assembly"
COLUMN = {"kind": "Assembly", "structure": "drums", "count": 5, "height": 5.0, "width": 0.9}
CASE = {"body": COLUMN, "motion": PULSE}
Share = Annotated[FiniteFloat, Field(ge=-1, le=1)]
TYPES = {
    "json": ("json", "application/json"),
    "compas": ("compas.json", "application/json"),
    "dxf": ("dxf", "image/vnd.dxf"),
    "svg": ("svg", "image/svg+xml"),
    "displacements": ("csv", "text/csv; charset=utf-8"),
}
"""The ending of each file, and its media type."""
FILES: dict[str, dict[str, str]] = {kind.partition(";")[0]: {} for _, kind in TYPES.values()}


class LimitRequest(Spec):
    """An assembly, and the load that is increased until it collapses."""

    body: BodySpec = Field(examples=[COLUMN])
    direction: tuple[Share, Share] = (1.0, 0.0)
    """The load on every stone is λ times its weight in this direction (x, y)."""
    sliding: bool = True
    """Whether joints may slide."""
    friction_rule: Literal["associated", "estimate"] = "associated"
    """Stones that slide also lift (an upper bound), or an estimate without that."""


@router.post("/assembly", responses={**PROBLEMS, 200: {"description": "Its stones."}})
async def assembly(
    request: Request, described: Annotated[BodySpec, Body(examples=[COLUMN])]
) -> dict[str, Any]:
    """The stones of an assembly as they stand: outlines and centres [m], mass [kg], sizes [m], the
    number of joints, and whether a run of it is answered at once (``quick``) or by a job."""
    return await answered(request, f"{ANSWERS}.shape:answer", described)  # type: ignore[return-value]


@router.post(
    "/assembly/simulate", responses={**PROBLEMS, 200: {"description": "Poses and histories."}}
)
async def simulate(
    request: Request, case: Annotated[CaseSpec, Body(examples=[CASE])]
) -> dict[str, Any]:
    """Shake a column, a frame or a small arch. The numbers are those of `rs.simulate` bit for bit:
    ``frames`` has the pose of each stone that moves (x, y of its centre [m], rotation [rad]) at 60
    moments a second at most, ``columns`` the histories at every sample. ``theories`` may name one:
    ``blocks``, rigid stones, or ``joints``, springs in the joints. A wall takes longer: start
    a job of the kind ``assembly``, whose result has the same form."""
    return await answered(request, f"{ANSWERS}.run:answer", case)  # type: ignore[return-value]


@router.post(
    "/assembly/step", responses={**PROBLEMS, 200: {"description": "Bounds, and a sentence."}}
)
async def step(
    request: Request, case: Annotated[CaseSpec, Body(examples=[CASE])]
) -> dict[str, Any]:
    """What the time step may have done to the run of ``/api/assembly/simulate``, by runs with
    half and with a quarter of the step: bounds of the error of places ``displacement`` [m] and
    turns ``turn`` [rad] (null if not known), whether the outcome is the same (``settled``), whether
    the runs converge (``converges``), and a ``sentence``. It takes seven times as long as the run:
    ask for it once that is there, and only where its ``not_halved`` is empty (it says why)."""
    return await answered(request, f"{ANSWERS}.run:halved", case)  # type: ignore[return-value]


@router.post(
    "/assembly/limit", responses={**PROBLEMS, 200: {"description": "Multiplier and mechanism."}}
)
async def limit(request: Request, asked: LimitRequest) -> dict[str, Any]:
    """The multiplier λ of a load at which an assembly collapses, its mechanism as a velocity
    (x, y [m/s], rotation [rad/s]) of each stone, the hinges and the joints that slide, and what
    the value means, in ``words``. ``multiplier`` is null where every load is borne, or none."""
    plain = asked.model_dump(mode="json")
    return await answered(request, f"{ANSWERS}.limit:answer", plain)  # type: ignore[return-value]


@router.post(
    "/assembly/take/{what}",
    responses={**PROBLEMS, 200: {"description": "The file.", "content": FILES}},
    response_class=Response,
)
async def take(
    request: Request,
    what: Literal["json", "compas", "dxf", "svg", "displacements"],
    case: Annotated[CaseSpec, Body(examples=[CASE])],
) -> Response:
    """Download the stones of a case: in full (``json``), for COMPAS, or as outlines (DXF, SVG); or
    how far each moves in it (``displacements``, CSV), if it is one that is answered at once."""
    asked = {"what": what, "case": case.model_dump(mode="json", exclude_unset=True)}
    answer = await answered(request, "rocksteady.studio.taking.stones:answer", asked)
    ending, media_type = TYPES[what]
    headers = {"Content-Disposition": attachment(file_name(case, ending))}
    return Response(answer.body, headers=headers, media_type=media_type)
