"""mypy without the collection of garbage: python -m tests.types_checked [OPTIONS].

From an empty cache it takes 13 % less time and twice the memory (870 MB instead of 470).
"""

from __future__ import annotations

import gc

from mypy.__main__ import console_entry

if __name__ == "__main__":
    gc.disable()
    gc.enable = lambda: None  # mypy enables it again after it has loaded its cache
    console_entry()
