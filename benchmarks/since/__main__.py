"""Whether this version is slower than an earlier commit: the corpus of `choice`, asked of both in turn.

    python benchmarks/since REVISION [--only TEXT] [--kinds KIND ...] [--least SECONDS] [--most SECONDS]
                                     [--more RATIO]

`git worktree` lays the earlier commit into a temporary folder. A process for each version, whose kernels
are compiled first, counts every puzzle with one worker: the total, the total and the orbits, and with a
digest. CPU seconds, the least of three in turn; what was kept of earlier questions is forgotten before
each. Where the ratio is above --more, both are measured again, so that a busy moment is not taken for a
loss. Prints these and the median of all ratios; ends with exit code 1 if a total differs. A question that
takes both versions less than --least, or one of them more than --most, is left out.

`benchmarks/instructions` shows what a kernel takes; this shows the way to the kernel: rewriting, plans,
cuts, probes and the race of engines. In November 2026 that way had become 1.9 times as long for a day.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from statistics import median
from typing import Any, NamedTuple

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
KINDS = ("total", "unique", "digest")
TIMES = 3


class Compared(NamedTuple):
    """A question and the answers of both versions, each the one that took the least CPU time."""

    name: str
    kind: str
    before: dict[str, Any]
    now: dict[str, Any]

    @property
    def ratio(self) -> float:
        """How many times as long this version takes."""
        return float(self.now["s"] / max(self.before["s"], 1e-9))

    @property
    def differs(self) -> bool:
        """Whether the totals are not the same."""
        return bool(self.before["total"] != self.now["total"])

    def line(self) -> str:
        """The ratio, the question, and of each version its time, engine and nodes."""
        texts = [f"{one['s']:.3g} s {one['engine']} {one['nodes']:,}" for one in (self.before, self.now)]
        return f"{self.ratio:5.2f}  {self.name}, {self.kind}: {' -> '.join(texts)}"


class Version:
    """A process that answers questions by the code in a checkout. names: of the puzzles that it can read.

    kernels: changes of the environment, such as the folder where compiled kernels are kept.
    """

    def __init__(self, checkout: Path, kernels: Mapping[str, str]) -> None:
        changes = {"PYTHONPATH": str(checkout / "src"), "REKKYO_PLAIN": "off"}
        environment = {**os.environ, **changes, **kernels}
        warm = [sys.executable, "-P", "-m", "rekkyo", "warm"]
        subprocess.run(warm, env=environment, stdout=subprocess.DEVNULL, check=True)
        command = [sys.executable, str(HERE / "answers.py")]
        self._process = subprocess.Popen(
            command, env=environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )
        self.names: list[str] = self._next()

    def answer(self, name: str, kind: str, most_s: float) -> dict[str, Any]:
        """What it answers in `most_s` CPU seconds; a puzzle that it cannot read has failed."""
        if name not in self.names:
            return {"failed": "it cannot be read"}
        assert self._process.stdin is not None
        print(self.names.index(name), kind, most_s, file=self._process.stdin, flush=True)
        return dict(self._next())

    def close(self) -> None:
        """End the process."""
        self._process.kill()
        self._process.wait()

    def _next(self) -> Any:
        assert self._process.stdout is not None
        return json.loads(self._process.stdout.readline())


def main() -> int:
    """Compare and print."""
    arguments = _arguments()
    compared = []
    with tempfile.TemporaryDirectory() as folder, both(arguments.revision, Path(folder)) as versions:
        for name in versions[1].names:
            for kind in arguments.kinds if arguments.only in name else ():
                found = compare(versions, name, kind, arguments.least, arguments.most)
                if found is not None and found.ratio > arguments.more:
                    found = min(found, compare(versions, name, kind, 0, arguments.most) or found, key=_ratio)
                if found is not None:
                    compared.append(found)
                    if found.ratio > arguments.more or found.differs:
                        print(found.line(), flush=True)
    print(summary(compared, arguments.more))
    return 1 if any(each.differs for each in compared) else 0


def _ratio(found: Compared) -> float:
    return found.ratio


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        description=__doc__, prog="since", formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("revision", help="the earlier commit")
    parser.add_argument("--only", default="", help="puzzles with this text in their name")
    parser.add_argument("--kinds", nargs="+", choices=KINDS, default=KINDS, help="what is asked")
    parser.add_argument("--least", type=float, default=0.002, help="CPU seconds that are worth comparing")
    parser.add_argument("--most", type=float, default=1.0, help="CPU seconds that are too many")
    parser.add_argument("--more", type=float, default=1.15, help="the ratio above which a line is printed")
    return parser.parse_args()


@contextmanager
def both(revision: str, folder: Path) -> Iterator[tuple[Version, Version]]:
    """The earlier version and this one, each in its process."""
    earlier = folder / "earlier"
    git = ["git", "-C", str(ROOT), "worktree"]
    subprocess.run([*git, "add", "--detach", "--quiet", str(earlier), revision], check=True)
    versions: list[Version] = []
    try:
        versions += [Version(earlier, {"REKKYO_CACHE_DIR": str(folder / "kernels")}), Version(ROOT, {})]
        yield versions[0], versions[1]
    finally:
        for version in versions:
            version.close()
        subprocess.run([*git, "remove", "--force", str(earlier)], check=True)


def compare(versions: Sequence[Version], name: str, kind: str, least: float, most: float) -> Compared | None:
    """The best of a few answers of both; None where one has none, or where it is too short or too long."""
    best: list[dict[str, Any]] = []
    for _ in range(TIMES):
        answers = []
        for version in versions:
            answers.append(version.answer(name, kind, most))
            if "failed" in answers[-1]:
                return None
        best = [min(pair, key=_seconds) for pair in zip(answers, best or answers, strict=True)]
        slowest = max(map(_seconds, best))
        if slowest < least or slowest > most:
            return None
    return Compared(name, kind, *best)


def _seconds(answer: dict[str, Any]) -> float:
    return float(answer["s"])


def summary(compared: Sequence[Compared], more: float) -> str:
    """How many questions were compared, the ratios, and how many are slower or have another total."""
    if not compared:
        return "Nothing was compared."
    ratios = [each.ratio for each in compared]
    slower, differ = sum(ratio > more for ratio in ratios), sum(each.differs for each in compared)
    text = f"{len(compared)} questions: median ratio {median(ratios):.2f}, {slower} above {more}"
    return f"{text}; {differ} totals differ." if differ else f"{text}. All totals agree."


if __name__ == "__main__":
    sys.exit(main())
