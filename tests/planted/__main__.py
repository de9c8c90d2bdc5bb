"""Plant faults in a copy of the sources and see which ones the tests find: python -m tests.planted

Named faults first, then random ones of a seed. What came out is saved after each, and `--go-on` does what is
missing.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import resource
import sys
import tempfile
import time
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from tests.planted.copy import LEAST_CPU_S, ROOT, TIMES_BASELINE, Copy, import_what_others_wrote
from tests.planted.mutations import Mutation, drawn, mutations_of
from tests.planted.named import FAULTS
from tests.planted.targets import TARGETS, Target

RESULTS = ROOT / "benchmarks" / "results" / "planted.json"
EQUIVALENT = Path(__file__).parent / "equivalent.json"
UNDECIDED = "survived the quick tests"
LEFT_OUT = ("__init__.py", "kernel_sample.py")
"""What estimates are drawn with is tested by statistics, which take too long here."""

COMPILED_CPU_S = 400
"""What the tests of an engine take once it was compiled anew, and more."""

SWITCHES = {
    "NUMBA_DISABLE_JIT": "1",
    "REKKYO_POISON": "1",
    "REKKYO_QUIET": "1",
    "CI": "1",
    "PYTHONDONTWRITEBYTECODE": "1",
}


def main() -> int:
    """Exit code 1 when a named fault was not found."""
    parser = argparse.ArgumentParser(prog="python -m tests.planted", description=__doc__)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--share", type=float, default=1.0, help="of the random faults of each target")
    parser.add_argument("--only", default="", help="targets whose name has this in it")
    parser.add_argument(
        "--quick", action="store_true", help="survivors of tests without a compiler meet no others"
    )
    parser.add_argument("--go-on", action="store_true")
    asked = parser.parse_args()
    if any(os.environ.get(name) != value for name, value in SWITCHES.items()):
        os.execve(
            sys.executable, [sys.executable, "-m", "tests.planted", *sys.argv[1:]], os.environ | SWITCHES
        )
    import_what_others_wrote()
    results: dict[str, Any] = {"seed": asked.seed, "named": [], "random": []}
    if asked.go_on and RESULTS.exists():
        results = json.loads(RESULTS.read_text(encoding="utf-8"))
        if not asked.quick:
            results["random"] = [fault for fault in results["random"] if fault["outcome"] != UNDECIDED]
    with tempfile.TemporaryDirectory() as folder:
        copy = Copy(Path(folder))
        _plant_named(copy, results, asked.only)
        for target in TARGETS:
            if asked.only in target.name:
                _plant_random(
                    copy,
                    results,
                    target,
                    random.Random(f"{asked.seed}/{target.name}"),
                    asked.share,
                    asked.quick,
                )
    print(table(results))
    return 1 if any(fault["outcome"] == "survived" for fault in results["named"]) else 0


def _plant_named(copy: Copy, results: dict[str, Any], only: str) -> None:
    known = {fault["name"] for fault in results["named"]}
    chosen = [fault for fault in FAULTS if fault.name not in known and only in f"named {fault.name}"]
    tests = sorted({test for fault in chosen for test in fault.tests})
    if chosen and (outcome := copy.test_with({}, tests, "", 600)) != "passed":
        raise SystemExit(f"without a fault: {outcome}")
    for fault in chosen:
        text = copy.read(fault.path)
        assert text.count(fault.old) == 1, fault.name
        changed = {fault.path: text.replace(fault.old, fault.new)}
        how = _outcome(copy.test_with(changed, fault.tests, "", 4 * LEAST_CPU_S))
        _note(results, "named", {"name": fault.name, "path": fault.path, **how})


def _plant_random(
    copy: Copy, results: dict[str, Any], target: Target, rng: random.Random, share: float, quick: bool
) -> None:
    mutations = [mutation for path in _files(target) for mutation in mutations_of(path, copy.read(path))]
    chosen = drawn(mutations, max(1, round(share * target.number)), rng)
    known = {(fault["path"], fault["line"], fault["old"], fault["new"]) for fault in results["random"]}
    left = [m for m in chosen if (m.path, m.line, m.old, m.new) not in known]
    if not left:
        return
    cpu_s = _cpu_of_baseline(copy, target)
    if cpu_s is None:
        return
    for mutation in left:
        text = copy.read(mutation.path)
        changed = {mutation.path: mutation.applied(text)}
        said = copy.test_with(changed, target.tests, target.marked, cpu_s)
        if said == "passed" and target.compiled_tests and quick:
            said = UNDECIDED
        elif said == "passed" and target.compiled_tests:
            said = copy.test_with(changed, target.compiled_tests, "", COMPILED_CPU_S, compiled=True)
        how = _outcome(said)
        _note(results, "random", {"target": target.name, **_facts(mutation, text), **how})


def _files(target: Target) -> Iterator[str]:
    for pattern in target.files:
        for path in sorted(ROOT.glob(pattern)):
            if path.name not in LEFT_OUT:
                yield path.relative_to(ROOT).as_posix()


def _facts(mutation: Mutation, text: str) -> dict[str, Any]:
    source = text.splitlines()[mutation.line - 1].strip()
    return {
        "path": mutation.path,
        "line": mutation.line,
        "source": source,
        "old": mutation.old,
        "new": mutation.new,
    }


def _cpu_of_baseline(copy: Copy, target: Target) -> float | None:
    """How much processor time the tests of a target may take; None where they fail without a fault."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    outcome = copy.test_with({}, target.tests, target.marked, 600)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    if outcome != "passed":
        print(f"{target.name} is left out: {outcome}, without a fault", flush=True)
        return None
    cpu_s = after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime
    print(f"{target.name}: {cpu_s:.1f} s of processor time without a fault", flush=True)
    return max(LEAST_CPU_S, TIMES_BASELINE * cpu_s)


def _outcome(said: str) -> dict[str, str]:
    if said == UNDECIDED:
        return {"outcome": UNDECIDED}
    return {"outcome": "survived"} if said == "passed" else {"outcome": "found", "by": said}


def _note(results: dict[str, Any], part: str, fault: dict[str, Any]) -> None:
    results[part].append(fault)
    results["date"] = time.strftime("%Y-%m-%d")
    RESULTS.write_text(json.dumps(results, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    print({name: fault[name] for name in fault if name != "target"}, flush=True)


def table(results: dict[str, Any]) -> str:
    """How many were found, target by target, and every survivor with its reason, if there is one."""
    reasons = json.loads(EQUIVALENT.read_text(encoding="utf-8")) if EQUIVALENT.exists() else {}
    lines = ["| target | planted | found | the same program | survived |", "|---|---|---|---|---|"]
    survivors = []
    named = [fault | {"target": "named faults"} for fault in results["named"]]
    faults = [*named, *results["random"]]
    for name in dict.fromkeys(fault["target"] for fault in faults):
        of_target = [fault for fault in faults if fault["target"] == name]
        alive = [fault for fault in of_target if fault["outcome"] != "found"]
        same = [fault for fault in alive if _key(fault) in reasons]
        survivors += alive
        n_found = len(of_target) - len(alive)
        lines.append(f"| {name} | {len(of_target)} | {n_found} | {len(same)} | {len(alive) - len(same)} |")
    lines.append("")
    lines += [f"* `{_key(fault)}`: {reasons.get(_key(fault), 'NOT FOUND')}" for fault in survivors]
    lines += [f"* `{key}`: NO SUCH FAULT; delete it from {EQUIVALENT.name}" for key in stale(reasons)]
    return "\n".join(lines)


def stale(reasons: Iterable[str]) -> list[str]:
    """Those of some keys whose faults cannot be planted any more, because the sources have changed."""
    files = {ROOT / key.partition(": ")[0] for key in reasons}
    texts = {
        path.relative_to(ROOT).as_posix(): path.read_text(encoding="utf-8") for path in files if path.exists()
    }
    known = {_key(_facts(one, text)) for path, text in texts.items() for one in mutations_of(path, text)}
    return [key for key in reasons if key not in known]


def _key(fault: dict[str, Any]) -> str:
    if "name" in fault:
        return str(fault["name"])
    return f"{fault['path']}: {fault['source']}: {fault['old']} -> {fault['new']}"


if __name__ == "__main__":
    sys.exit(main())
