"""Engine `cover-memo`."""

from rekkyo.engines.covers.memo.engine import CoverMemo

__all__ = ["CoverMemo"]
