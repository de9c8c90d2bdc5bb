"""Answers that both servers give: a file of the page, and the page that plays a search."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Mapping
from hashlib import sha256
from re import DOTALL, findall

from starlette.responses import JSONResponse, Response

from rekkyo.serving.assets import KINDS


def asset_response(assets: Mapping[str, bytes], name: str) -> Response:
    """A file by its name; nothing of a request ever becomes the name of a file on disk."""
    if name not in assets:
        return JSONResponse({"error": "there is no such file"}, 404)
    return Response(assets[name], media_type=KINDS["." + name.rpartition(".")[2]])


def played_response(page: str) -> Response:
    """The page that plays a search, with a policy that names its scripts by their hashes."""
    scripts = findall(r"<script[^>]*>(.*?)</script>", page, DOTALL)
    hashes = [b64encode(sha256(script.encode()).digest()).decode() for script in scripts]
    sources = " ".join(f"'sha256-{known}'" for known in hashes)
    policy = f"default-src 'none'; script-src {sources}; style-src 'unsafe-inline'; sandbox allow-scripts"
    return Response(page, media_type="text/html", headers={"Content-Security-Policy": policy})
