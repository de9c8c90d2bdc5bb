"""Files of a page, and the page that plays a search."""

from __future__ import annotations

from base64 import b64encode
from hashlib import sha256

from rekkyo.serving.responses import asset_response, played_response


def test_files_by_their_names() -> None:
    assets = {"a.css": b"a{}", "b.min.js": b"1"}
    assert (asset_response(assets, "a.css").body, asset_response(assets, "b.min.js").body) == (b"a{}", b"1")
    assert asset_response(assets, "b.min.js").media_type == "text/javascript"
    assert asset_response(assets, "../a.css").status_code == 404


def test_each_script_of_a_search_is_named_by_its_hash() -> None:
    scripts = ["\nplay()\nstop()\n", "1 < 2"]
    page = f"<p><script>{scripts[0]}</script><style>p{{}}</style><script type=module>{scripts[1]}</script>"
    response = played_response(page)
    hashes = [f"'sha256-{b64encode(sha256(script.encode()).digest()).decode()}'" for script in scripts]
    policy = dict(part.split(" ", 1) for part in response.headers["content-security-policy"].split("; "))
    assert policy == {
        "default-src": "'none'",
        "script-src": " ".join(hashes),
        "style-src": "'unsafe-inline'",
        "sandbox": "allow-scripts",
    }
    assert response.body == page.encode()
