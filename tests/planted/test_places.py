"""Named faults are in the sources, and the tests that are asked about faults exist."""

from __future__ import annotations

import pytest

from tests.planted.__main__ import stale
from tests.planted.copy import ROOT
from tests.planted.named import FAULTS, Fault
from tests.planted.targets import TARGETS


@pytest.mark.parametrize("fault", FAULTS, ids=lambda fault: fault.name)
def test_a_named_fault_changes_one_place(fault: Fault) -> None:
    assert (ROOT / fault.path).read_text(encoding="utf-8").count(fault.old) == 1


def test_the_tests_that_are_asked_exist() -> None:
    asked = [test for fault in FAULTS for test in fault.tests]
    asked += [test for target in TARGETS for test in (*target.tests, *target.compiled_tests)]
    assert [test for test in asked if not (ROOT / test.partition("::")[0]).exists()] == []


def test_every_target_has_files() -> None:
    patterns = [pattern for target in TARGETS for pattern in target.files]
    assert [pattern for pattern in patterns if not any(ROOT.glob(pattern))] == []


def test_a_reason_whose_line_is_gone_is_stale() -> None:
    there, gone = (f"src/rekkyo/ask/clues.py: LARGEST_SET = {n}: {n} -> ({n} + 1)" for n in (3, 4))
    assert stale([there, gone]) == [gone]
