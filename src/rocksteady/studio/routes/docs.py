"""The API's own description: as OpenAPI for programs, as a page for people."""

from html import escape
from typing import Any

from fastapi import APIRouter, Request
from fastapi.responses import HTMLResponse, Response
from starlette.concurrency import run_in_threadpool

from rocksteady.studio.encoding import encode

router = APIRouter(include_in_schema=False)

STYLE = """
:root { color-scheme: light dark; }
body { font: 16px/1.55 system-ui, sans-serif; max-width: 50rem; margin: 3rem auto;
       padding: 0 1rem; }
h1, h2 { font-weight: 600; line-height: 1.25; }
section { border-top: 1px solid #8884; padding: 1rem 0; }
h3 { font: 600 1rem ui-monospace, monospace; margin: 0; }
h3 span { color: #0b7a75; margin-right: .5rem; }
pre { background: #8881; border-radius: .5rem; padding: .75rem 1rem; overflow: auto; }
dt { font-family: ui-monospace, monospace; }
dd { margin: 0 0 .4rem 1.5rem; }
@media (prefers-color-scheme: dark) { h3 span { color: #4fc3bd; } }
"""


@router.get("/openapi.json")
async def openapi(request: Request) -> Response:
    return Response(encode(await _described(request)), media_type="application/json")


@router.get("/docs.css")
async def style() -> Response:
    return Response(STYLE, media_type="text/css")


@router.get("/docs")
async def docs(request: Request) -> Response:
    """Every address, what it takes and gives."""
    described = await _described(request)
    parts = [
        _section(method, path, about, described)
        for path, methods in described["paths"].items()
        for method, about in methods.items()
    ]
    title = f"{described['info']['title']} {described['info']['version']}"
    return HTMLResponse(
        f'<!doctype html><html lang="en"><head><meta charset="utf-8"><title>{escape(title)}: '
        'API</title><meta name="viewport" content="width=device-width">'
        f'<link rel="stylesheet" href="docs.css"></head><body><h1>{escape(title)}</h1>'
        "<p>Bodies and answers are JSON, in SI units. An error is "
        '<code>{"error": "a sentence"}</code>. For programs: '
        f'<a href="openapi.json">openapi.json</a>.</p>{"".join(parts)}</body></html>'
    )


async def _described(request: Request) -> dict[str, Any]:
    """In a thread: the first time all theories are imported to ask for their parameters."""
    return await run_in_threadpool(request.app.openapi)


def _section(method: str, path: str, about: dict[str, Any], described: dict[str, Any]) -> str:
    words = escape(about.get("description") or about.get("summary", ""))
    asked = [
        f"<dt>{escape(one['name'])}</dt><dd>{escape(one.get('description', one['in']))}</dd>"
        for one in about.get("parameters", [])
    ]
    answers = [
        f"<dt>{status}</dt><dd>{escape(one.get('description', ''))}</dd>"
        for status, one in about.get("responses", {}).items()
    ]
    return (
        f"<section><h3><span>{method.upper()}</span>{escape(path)}</h3><p>{words}</p>"
        f"{_list('Parameters', asked)}{_example(method, path, about)}{_list('Answers', answers)}"
        "</section>"
    )


def _list(title: str, entries: list[str]) -> str:
    return f"<h4>{title}</h4><dl>{''.join(entries)}</dl>" if entries else ""


def _example(method: str, path: str, about: dict[str, Any]) -> str:
    """The example of the body, as it is sent."""
    content = about.get("requestBody", {}).get("content", {}).get("application/json", {})
    examples = content.get("examples") or content.get("schema", {}).get("examples") or []
    first = next(iter(examples.values()))["value"] if isinstance(examples, dict) else examples[:1]
    shown = first[0] if isinstance(first, list) and first else first
    if not shown:
        return ""
    text = encode(shown).decode()
    return f"<pre>{method.upper()} {escape(path)}\n{escape(text)}</pre>"
