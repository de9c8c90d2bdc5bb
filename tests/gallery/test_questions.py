"""Conditions with "not" and "or", placements, symmetry, names, heat maps: against plain Python over all rows."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import rekkyo as rk
from rekkyo.errors import BadInput
from rekkyo.gallery import collection as collections
from rekkyo.gallery import index
from rekkyo.gallery.collection import Collection
from rekkyo.gallery.question import ONLY, Question, read_question
from rekkyo.gallery.source import ListedSource, RunSource
from rekkyo.model.row import Row
from tests.gallery.growing import hide_shards, show_shard
from tests.gallery.test_collection import all_rows, ask

WORDS = ("queens 6", "pentominoes 3 20", "dominoes 4 5", "magic-square 3", "latin-square 3")


COVER = "a b c d\na\nb\na b\nc d\nc\nd\nb c\n"
"""Its solutions have two to four options: rows with fillers. Turning the order of the items keeps it."""


@pytest.fixture(scope="module", params=[*WORDS, COVER])
def gallery(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Collection:
    if request.param != COVER:
        return Collection(ListedSource(rk.puzzle(request.param)))
    file = tmp_path_factory.mktemp("cover") / "cover.xcc"
    file.write_text(COVER)
    return Collection(ListedSource(rk.puzzle_from_file(file)))


def holds(gallery: Collection, row: Row, word: str) -> bool:
    """A condition as it is written in an address."""
    if word.startswith("!"):
        return not holds(gallery, row, word[1:])
    atoms = gallery.painting.shape.atoms(row)
    if word.startswith("a"):
        return int(word[1:]) in atoms
    spot, thing = map(int, word.split("."))
    return any((spot, thing) in gallery.painting.pairs_of_atom(atom) for atom in atoms)


def is_of_kind(gallery: Collection, row: Row, only: str) -> bool:
    orbit = gallery.orbit(row)
    assert gallery.survey is not None
    is_symmetric = len(orbit) < gallery.survey.group.order
    return ("representatives" not in only or row == orbit[0]) and ("symmetric" not in only or is_symmetric)


@given(st.data())
def test_conditions(gallery: Collection, data: st.DataObject) -> None:
    pairs = sorted(gallery.index.atoms_with)
    atoms = range(gallery.painting.shape.n_atoms)
    literal = st.one_of(
        st.sampled_from([f"{spot}.{thing}" for spot, thing in pairs]),
        st.sampled_from([f"a{atom}" for atom in atoms]),
    ).flatmap(lambda word: st.sampled_from([word, "!" + word]))
    clauses = data.draw(st.lists(st.lists(literal, min_size=1, max_size=3), max_size=3))
    only = data.draw(st.sampled_from([kind for kind in ONLY if gallery.has_symmetry or kind == "all"]))
    where = "_".join("~".join(clause) for clause in clauses)
    expected = [
        number
        for number, row in enumerate(all_rows(gallery))
        if all(any(holds(gallery, row, word) for word in clause) for clause in clauses)
        and is_of_kind(gallery, row, only)
    ]
    question = read_question({"where": where, "only": only})
    assert ask(gallery, question) == expected
    assert gallery.count(question) == len(expected)
    passing = [tuple(row) for _, rows in gallery.passing(question) for row in rows.tolist()]
    assert passing == [all_rows(gallery)[number] for number in expected]
    for _ in gallery.scan_heat(question):
        pass
    counted = Counter(atom for row in passing for atom in gallery.painting.shape.atoms(row))
    heat = gallery.heat(question)
    assert heat.n_rows == len(expected)
    assert {atom: times for atom, times in enumerate(heat.counts.tolist()) if times} == dict(counted)


def test_named_solutions(gallery: Collection) -> None:
    last = len(gallery.source) - 1
    question = read_question({"among": f"{last}_0_0"})
    assert ask(gallery, question) == sorted({0, last})
    assert ask(gallery, read_question({"among": ""})) == []
    with pytest.raises(BadInput, match=f"there is no solution {last + 1}; they go from 0 to {last}"):
        ask(gallery, read_question({"among": f"{last + 1}"}))


def test_images_are_found(gallery: Collection) -> None:
    for row in all_rows(gallery)[:5]:
        for _ in gallery.images(row).scan():
            pass
        expected = {
            image: all_rows(gallery).index(image) for image in gallery.orbit(row)[: collections.MAX_IMAGES]
        }
        assert gallery.images(row).numbers == expected


def test_a_scan_goes_on_where_it_was_left(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(index, "SCAN_ROWS", 10)
    gallery = Collection(ListedSource(rk.queens(8)))
    corner, middle = read_question({"where": "0.0"}), read_question({"where": "0.0_3.0"})
    assert [next(gallery.scan(corner)) for _ in range(3)] == [10, 20, 30]
    assert list(gallery.scan(middle))[:4] == [10, 20, 30, 40], "the second mark catches up"
    assert list(gallery.scan(corner)) == []
    assert list(gallery.scan(read_question({"where": "!0.0~3.0"}))) == [], "other questions about known marks"


@pytest.mark.parametrize("where", ["0.0", "!0.0~1.0"])
def test_a_run_that_grows_costs_its_new_rows(tmp_path: Path, where: str) -> None:
    folder = tmp_path / "run"
    rk.run(rk.queens(7), folder, shards=7)
    hide_shards(folder, [5, 6])
    gallery = Collection(RunSource(folder))
    question = read_question({"where": where, "only": "symmetric"})
    n_before = len(gallery.source)
    ask(gallery, question)
    for _ in gallery.scan_heat(question):
        pass
    for shard in (5, 6):
        show_shard(folder, shard)
        gallery.source.refresh()
    assert list(gallery.scan(question)) == [len(gallery.source)]
    fresh = Collection(RunSource(folder))
    assert ask(gallery, question) == ask(fresh, question)
    assert list(gallery.scan_heat(question)) == [40]
    for _ in fresh.scan_heat(question):
        pass
    assert n_before < 40
    assert np.array_equal(gallery.heat(question).counts, fresh.heat(question).counts)


@pytest.mark.parametrize(
    "query",
    [
        {"where": "abc"},
        {"where": "a"},
        {"where": "a-1"},
        {"where": "1.0~"},
        {"where": "!"},
        {"where": "!!1.0"},
        {"where": "~".join(["1.0"] * 65)},
        {"among": "1-2-3"},
        {"among": "x"},
        {"among": "²"},
        {"among": "_".join(map(str, range(501)))},
    ],
)
def test_what_is_not_understood(query: dict[str, str]) -> None:
    with pytest.raises(BadInput) as refused:
        read_question(query)
    assert "\n" not in str(refused.value)


def test_placements_that_are_not_there() -> None:
    gallery = Collection(ListedSource(rk.puzzle("dominoes 2 3")))
    with pytest.raises(BadInput, match="there is no placement 7; they go from 0 to 6"):
        ask(gallery, read_question({"where": "a7"}))


def test_kinds_that_a_gallery_does_not_have() -> None:
    no_symmetry = Collection(ListedSource(rk.puzzle("queens 1")))
    for only in ONLY[1:]:
        if not no_symmetry.has_symmetry:
            with pytest.raises(BadInput):
                ask(no_symmetry, Question(only=only))


def test_too_many_to_sort(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(collections, "MAX_SORTED_ROWS", 10)
    gallery = Collection(ListedSource(rk.queens(8)))
    with pytest.raises(BadInput, match="92 solutions are too many to sort"):
        ask(gallery, Question(order="least"))
    assert len(ask(gallery, read_question({"where": "0.0", "order": "least"}))) == 4
