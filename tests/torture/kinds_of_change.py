"""Ways to change a file that need not know what is in it."""

from __future__ import annotations

import os
import random
from pathlib import Path


def a_flipped_bit(dice: random.Random, path: Path, _: Path) -> None:
    content = bytearray(path.read_bytes())
    if content:
        content[dice.randrange(len(content))] ^= 1 << dice.randrange(8)
    path.write_bytes(content)


def many_flipped_bits(dice: random.Random, path: Path, outside: Path) -> None:
    for _ in range(dice.randint(2, 40)):
        a_flipped_bit(dice, path, outside)


def a_shorter_file(dice: random.Random, path: Path, _: Path) -> None:
    os.truncate(path, dice.randrange(path.stat().st_size + 1))


def more_at_the_end(dice: random.Random, path: Path, _: Path) -> None:
    with path.open("ab") as file:
        file.write(dice.randbytes(dice.randint(1, 200)))


def bytes_put_in(dice: random.Random, path: Path, _: Path) -> None:
    content = path.read_bytes()
    at = dice.randrange(len(content) + 1)
    path.write_bytes(content[:at] + dice.randbytes(dice.randint(1, 20)) + content[at:])


def bytes_taken_out(dice: random.Random, path: Path, _: Path) -> None:
    content = path.read_bytes()
    at = dice.randrange(len(content) + 1)
    path.write_bytes(content[:at] + content[at + dice.randint(1, 20) :])


def a_block_of_zeros(dice: random.Random, path: Path, _: Path) -> None:
    content = bytearray(path.read_bytes())
    at = dice.randrange(len(content) + 1)
    length = min(4096, len(content) - at)
    content[at : at + length] = bytes(length)
    path.write_bytes(content)


def another_file_of_the_folder(dice: random.Random, path: Path, _: Path) -> None:
    others = sorted(each for each in path.parent.iterdir() if each.is_file())
    path.write_bytes(dice.choice(others).read_bytes())


def nothing_there(_dice: random.Random, path: Path, _: Path) -> None:
    path.unlink()


def a_folder(_dice: random.Random, path: Path, _: Path) -> None:
    path.unlink()
    path.mkdir()


def a_named_pipe(_dice: random.Random, path: Path, _: Path) -> None:
    path.unlink()
    os.mkfifo(path)


def a_link(dice: random.Random, path: Path, outside: Path) -> None:
    path.unlink()
    path.symlink_to(outside / dice.choice(("mine", "new")))


CHANGES = (
    a_flipped_bit,
    a_flipped_bit,
    many_flipped_bits,
    a_shorter_file,
    more_at_the_end,
    bytes_put_in,
    bytes_taken_out,
    a_block_of_zeros,
    another_file_of_the_folder,
    nothing_there,
    a_folder,
    a_named_pipe,
    a_link,
)
