"""The page that plays a search, as an answer of a server."""

from __future__ import annotations

from base64 import b64encode
from hashlib import sha256
from re import DOTALL, findall

from starlette.responses import Response


def played_response(page: str) -> Response:
    """The page holds its script, which the policy names by its hash."""
    scripts = findall(r"<script[^>]*>(.*?)</script>", page, DOTALL)
    hashes = [b64encode(sha256(script.encode()).digest()).decode() for script in scripts]
    sources = " ".join(f"'sha256-{known}'" for known in hashes)
    policy = f"default-src 'none'; script-src {sources}; style-src 'unsafe-inline'; sandbox allow-scripts"
    return Response(page, media_type="text/html", headers={"Content-Security-Policy": policy})
