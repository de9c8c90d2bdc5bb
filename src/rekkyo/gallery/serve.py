"""Start the gallery's server."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import closing

from rekkyo.errors import BadInput
from rekkyo.gallery.collection import Collection


def serve(
    collections: Sequence[Collection],
    host: str,
    port: int,
    say: Callable[[str], None],
    *,
    opens: bool = False,
) -> None:
    """Serve until interrupted. opens: show the page in a browser.

    Raises BadInput if the port is not free, or the extra package is missing.
    """
    try:
        from rekkyo.gallery.app import make_app
        from rekkyo.serving.security import is_loopback
        from rekkyo.serving.server import address_of, listening, serve_app
    except ImportError:
        raise BadInput("the gallery needs the extra package: pip install 'rekkyo[gallery]'") from None
    with closing(listening(host, port)) as listens:
        address = f"http://{address_of(host, listens)}/"
        names = ", ".join(dict.fromkeys(collection.puzzle.name for collection in collections))
        lines = [f"{names}: {address} (end with Ctrl-C)"]
        if not is_loopback(host):
            lines.append(f"everyone who can reach {host} can see this gallery; without --host only you can")
        serve_app(make_app(collections, host), listens, say, lines, opens=address if opens else None)
