"""Engine `cover-memo`."""

from rekkyo.engines.cover_memo.engine import CoverMemo

__all__ = ["CoverMemo"]
