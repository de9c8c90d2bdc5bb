"""The README and the pages in docs/ are executed: what they show is what happens."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.pages import PAGES, ROOT, Block, blocks_of, execute

BLOCKS = [block for page in PAGES for block in blocks_of(page)]
EXECUTED = ("console", "sh", "python", "toml")
SHOWN = ("text", "{eval-rst}", "{toctree}")


def params(blocks: list[Block]) -> list[object]:
    return [pytest.param(block, id=f"{block.place} {block.language}") for block in blocks]


@pytest.mark.second
@pytest.mark.parametrize("block", params([b for b in BLOCKS if b.language in EXECUTED and not b.is_excused]))
def test_code_blocks_do_what_they_show(block: Block, tmp_path: Path) -> None:
    execute(block, tmp_path)


@pytest.mark.parametrize("block", params([b for b in BLOCKS if b.language == "python" and b.is_excused]))
def test_python_that_needs_another_computer_compiles(block: Block) -> None:
    compile(block.text, block.place, "exec")


def test_every_block_says_what_it_is() -> None:
    assert [block.place for block in BLOCKS if block.language not in (*EXECUTED, *SHOWN)] == []


def test_no_block_hides_as_indented_text() -> None:
    """Markdown takes lines indented by four spaces for code as well; those would not be executed."""
    for page in PAGES:
        text = re.sub(r"^```.*?^```$", "", page.read_text(encoding="utf-8"), flags=re.MULTILINE | re.DOTALL)
        assert re.findall(r"\n\n {4,}[^\n]*", text) == [], page


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_links_to_files_lead_somewhere(page: Path) -> None:
    for target in re.findall(r"\]\((?!https?:|#)([^)#\s]+)(?:#[^)]*)?\)", page.read_text(encoding="utf-8")):
        assert (page.parent / target).exists(), target


@pytest.mark.parametrize("language", ["console", "python"])
def test_there_are_examples_of_both_kinds(language: str) -> None:
    assert sum(block.language == language for block in BLOCKS) >= 3
