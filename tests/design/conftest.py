from __future__ import annotations

from tests.gallery.conftest import browser

__all__ = ["browser"]
