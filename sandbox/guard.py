"""Who may talk to the sandbox: programs on this machine and a browser that shows this very page, nobody else."""

from collections.abc import Awaitable, Callable
from urllib.parse import urlsplit

from aiohttp import web

Handler = Callable[[web.Request], Awaitable[web.StreamResponse]]

LOOPBACK = frozenset({"127.0.0.1", "localhost", "::1"})
OWN = ("same-origin", "none")
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self' ws://{host}; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
# An uploaded file is whatever the bot says it is: it may be looked at, never run.
FILE_POLICY = "default-src 'none'; sandbox"
UPLOADS = ("/attachments/", "/emojis/")
PICTURES = ("image/png", "image/jpeg", "image/gif", "image/webp", "image/avif")


def allowed(request: web.Request) -> bool:
    """Whether a request comes from this machine's own page, or from a program that is no browser at all."""
    # A name that resolves to loopback only for an attacker's page (DNS rebinding) still shows in Host.
    if not _is_loopback(f"//{request.headers.get('Host', '')}"):
        return False
    origin = request.headers.get("Origin")
    if origin is not None and origin != f"http://{request.headers['Host']}":
        return False
    if request.headers.get("Sec-Fetch-Site", "none") in OWN:
        return True
    return request.path == "/" and request.headers.get("Sec-Fetch-Mode") == "navigate"  # a link to the page is fine


def _is_loopback(url: str) -> bool:
    try:
        return urlsplit(url).hostname in LOOPBACK
    except ValueError:
        return False


@web.middleware
async def guard(request: web.Request, handler: Handler) -> web.StreamResponse:
    """Refuse foreign hosts and origins, on every path."""
    if not allowed(request):
        raise web.HTTPForbidden(text="This sandbox answers only to its own page on this machine.\n")
    return await handler(request)


async def add_headers(request: web.Request, response: web.StreamResponse) -> None:
    """Tell the browser what this answer may do."""
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
        if response.content_type not in PICTURES:
            headers["Content-Disposition"] = "attachment"
        return
    host = request.headers["Host"] if allowed(request) else "127.0.0.1"
    headers["Content-Security-Policy"] = POLICY.format(host=host)
    headers["Cache-Control"] = "no-cache"


def protect(app: web.Application) -> None:
    """Put the guard and the headers in front of everything that an application serves."""
    app.middlewares.insert(0, guard)
    app.on_response_prepare.append(add_headers)
