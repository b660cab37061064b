"""Who may ask: the name of the server, the page the request comes from, the token."""

import secrets
from collections.abc import Mapping
from http.cookies import CookieError, SimpleCookie
from urllib.parse import parse_qs, urlsplit

from fastapi.responses import HTMLResponse, Response

from rocksteady.studio.problems import problem
from rocksteady.studio.settings import Settings

COOKIE = "rocksteady-studio"
WRONG_HOST = (
    "This server is not called that: open it by the address that rocksteady studio printed. (A "
    "page elsewhere must not reach it under a name of its own.)"
)
ELSEWHERE = "Requests from other sites are refused: use the studio's own page, or a script."
NO_TOKEN = (
    "A token is needed: open the address that rocksteady studio printed, with its ?token=…, or "
    "send the header Authorization: Bearer TOKEN."
)
WELCOME = (
    '<!doctype html><html lang="en"><title>Rocksteady Studio</title>'
    '<meta http-equiv="refresh" content="0;url=./"><p><a href="./">Rocksteady Studio</a></p></html>'
)


def refusal(
    path: str, query: str, headers: Mapping[str, str], settings: Settings
) -> Response | None:
    """Why a request is not let in, or where it goes first; None lets it in."""
    host = headers.get("host", "")
    if "*" not in settings.hosts and _name(host) not in settings.hosts:
        return problem(403, WRONG_HOST)
    if path.startswith("/api") and _from_elsewhere(host, headers):
        return problem(403, ELSEWHERE)
    if settings.token is None or _shown(headers, settings.token):
        return None
    given = parse_qs(query).get("token", [""])[0]
    if path == "/" and _same(given, settings.token):
        return _welcome(settings.token)
    return problem(403, NO_TOKEN)


def _welcome(token: str) -> Response:
    """Keep the token in a cookie and go on without it in the address. It is this page that goes
    on, not a redirect: browsers hold back a strict cookie where another site began."""
    answer = HTMLResponse(WELCOME)
    answer.set_cookie(COOKIE, token, httponly=True, samesite="strict", path="/")
    return answer


def _name(host: str) -> str:
    """The name without the port; none where there is more than a name and a port."""
    if set(host) & set("@/?#\\"):
        return ""
    try:
        return (urlsplit(f"//{host}").hostname or "").lower()
    except ValueError:
        return ""


def _from_elsewhere(host: str, headers: Mapping[str, str]) -> bool:
    """Whether a browser says that another site sends this."""
    if headers.get("sec-fetch-site", "none") not in ("same-origin", "none"):
        return True
    origin = headers.get("origin")
    return origin is not None and origin.lower() not in (f"http://{host}", f"https://{host}")


def _shown(headers: Mapping[str, str], token: str) -> bool:
    """Whether the token is in a header or in the cookie."""
    scheme, _, given = headers.get("authorization", "").partition(" ")
    if scheme.lower() == "bearer" and _same(given.strip(), token):
        return True
    try:
        kept = SimpleCookie(headers.get("cookie", "")).get(COOKIE)
    except CookieError:
        return False
    return kept is not None and _same(kept.value, token)


def _same(given: str, token: str) -> bool:
    return secrets.compare_digest(given.encode(), token.encode())
