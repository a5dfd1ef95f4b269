"""Restricts the sandbox to programs on this machine and a browser showing its own page."""

from collections.abc import Awaitable, Callable
from http import HTTPStatus
from urllib.parse import urlsplit

from aiohttp import web

Handler = Callable[[web.Request], Awaitable[web.StreamResponse]]

LOOPBACK = frozenset({"127.0.0.1", "localhost", "::1"})
OWN = ("same-origin", "none")
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self' ws://{host}; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
# The bot chooses an uploaded file's content type, so a file may be displayed but never run.
FILE_POLICY = "default-src 'none'; sandbox"
UPLOADS = ("/attachments/", "/emojis/")
PICTURES = ("image/png", "image/jpeg", "image/gif", "image/webp", "image/avif")


def allowed(request: web.Request) -> bool:
    """Whether a request comes from the sandbox's own page or from a program other than a browser."""
    # DNS rebinding: an attacker's name may resolve to loopback, but the Host header still shows it.
    if not _is_loopback(f"//{request.headers.get('Host', '')}"):
        return False
    origin = request.headers.get("Origin")
    if origin is not None and origin != f"http://{request.headers['Host']}":
        return False
    if request.headers.get("Sec-Fetch-Site", "none") in OWN:
        return True
    return (
        request.path == "/" and request.headers.get("Sec-Fetch-Mode") == "navigate"
    )  # links from other sites to the page are allowed


def _is_loopback(url: str) -> bool:
    try:
        return urlsplit(url).hostname in LOOPBACK
    except ValueError:
        return False


@web.middleware
async def guard(request: web.Request, handler: Handler) -> web.StreamResponse:
    """Refuse requests from foreign hosts and origins, on every path."""
    if not allowed(request):
        raise web.HTTPForbidden(text="This sandbox answers only to its own page on this machine.\n")
    return await handler(request)


async def add_headers(request: web.Request, response: web.StreamResponse) -> None:
    """Add the security headers to a response."""
    headers = response.headers
    path = request.path
    if path.startswith("/api/") or path == "/gateway":
        return
    headers["X-Content-Type-Options"] = "nosniff"
    headers["Referrer-Policy"] = "no-referrer"
    headers["Cross-Origin-Resource-Policy"] = "same-origin"
    headers["Cross-Origin-Opener-Policy"] = "same-origin"
    if path.startswith(UPLOADS):
        headers["Content-Security-Policy"] = FILE_POLICY
        if response.status == HTTPStatus.OK:
            headers["Cache-Control"] = "private, max-age=31536000, immutable"  # no upload changes under its address
        if response.content_type not in PICTURES:
            headers["Content-Disposition"] = "attachment"
        return
    host = request.headers["Host"] if allowed(request) else "127.0.0.1"
    headers["Content-Security-Policy"] = POLICY.format(host=host)
    headers["Cache-Control"] = "no-cache"


def protect(app: web.Application) -> None:
    """Install the guard and the security headers on an application."""
    app.middlewares.insert(0, guard)
    app.on_response_prepare.append(add_headers)
