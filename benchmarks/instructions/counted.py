"""Runs cases under callgrind, which counts only while it is told to: `counted.py NAME...`.

Callgrind is asked in the way of its `callgrind.h`: six words, the first of them the request, and a row of
rotations that does nothing on a processor. Here the row is made of bytes, so that no C compiler is needed.
Outside of callgrind all runs the same and nothing is counted: so are kernels compiled beforehand.
"""

from __future__ import annotations

import ctypes
import gc
import json
import mmap
import sys

from cases import CASES, made_ready

# mov rax, rdi; mov rdx, rsi; rol rdi, by 3, 13, 61, 51; xchg rbx, rbx; mov rax, rdx; ret
REQUEST_CODE = bytes.fromhex("4889f8 4889f2 48c1c703 48c1c70d 48c1c73d 48c1c733 4887db 4889d0 c3")
OF_CALLGRIND = (ord("C") << 24) + (ord("T") << 16)
DUMP_STATS_AT, START, STOP = OF_CALLGRIND + 3, OF_CALLGRIND + 4, OF_CALLGRIND + 5


class Callgrind:
    """Starts and stops the counting of this process."""

    def __init__(self) -> None:
        self._page = mmap.mmap(-1, mmap.PAGESIZE, prot=mmap.PROT_READ | mmap.PROT_WRITE | mmap.PROT_EXEC)
        self._page.write(REQUEST_CODE)
        address = ctypes.addressof(ctypes.c_char.from_buffer(self._page))
        self._function = ctypes.CFUNCTYPE(ctypes.c_uint64, ctypes.c_void_p, ctypes.c_uint64)(address)

    def ask(self, request: int, argument: int = 0) -> None:
        words = (ctypes.c_uint64 * 6)(request, argument)
        self._function(ctypes.addressof(words), 0)

    def dump(self, label: str) -> None:
        """Write what was counted since the last time into a file of its own, under a name."""
        text = ctypes.create_string_buffer(label.encode())
        self.ask(DUMP_STATS_AT, ctypes.addressof(text))


def main(names: list[str]) -> None:
    callgrind = Callgrind()
    gc.disable()
    for case in CASES:
        if case.name not in names:
            continue
        work = made_ready(case)
        first = work()  # whatever is done once only, such as loading a kernel, is done now
        callgrind.ask(START)
        tally = work()
        callgrind.ask(STOP)
        callgrind.dump(case.name)
        assert tally == first, f"{case.name}: {tally} after {first}"
        print(json.dumps({"name": case.name, "solutions": tally.total, "nodes": tally.nodes}), flush=True)
        gc.collect()


if __name__ == "__main__":
    main(sys.argv[1:])
