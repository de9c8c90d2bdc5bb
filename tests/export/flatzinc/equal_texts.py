"""Random FlatZinc with many equal variables, and what it prints by the definitions alone."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from itertools import product
from random import Random

MEANINGS: dict[str, Callable[..., bool]] = {
    "bool2int": lambda x, y: x == y,
    "int_eq": lambda x, y: x == y,
    "bool_eq": lambda x, y: x == y,
    "int_eq_reif": lambda x, y, b: (x == y) == b,
    "int_ne_reif": lambda x, y, b: (x != y) == b,
    "bool_eq_reif": lambda x, y, b: (x == y) == b,
    "bool_not": lambda x, y: x != y,
    "int_le": lambda x, y: x <= y,
    "bool_or": lambda x, y, b: (x or y) == b,
    "int_times": lambda x, y, z: x * y == z,
}
"""Predicates of single variables and numbers."""

EQUATIONS = ("bool2int", "int_eq", "bool_eq", "int_eq_reif", "int_ne_reif", "bool_eq_reif")


@dataclass(frozen=True, slots=True)
class EqualText:
    """values: for each variable its domain; shown: names of output, each with its variables or numbers."""

    text: str
    values: dict[str, tuple[int, ...]]
    shown: list[tuple[str, list[str]]]
    posted: list[tuple[str, list[str]]]
    goal: str

    def printed(self) -> set[str]:
        """Each different solution, as `fzn-rekkyo -a` writes it; of an objective only the best ones."""
        found = []
        for values in product(*self.values.values()):
            at = dict(zip(self.values, values, strict=True))
            if all(MEANINGS[name](*(_value(word, at) for word in words)) for name, words in self.posted):
                found.append(at)
        kind, _, objective = self.goal.partition(" ")
        if found and objective:
            best = (max if kind == "maximize" else min)(at[objective] for at in found)
            found = [at for at in found if at[objective] == best]
        return {self._written(at) for at in found}

    def _written(self, at: dict[str, int]) -> str:
        lines = []
        for name, words in self.shown:
            texts = [_text(word, at) for word in words]
            is_array = name == "all"
            whole = f"array1d(1..{len(words)}, [{', '.join(texts)}])" if is_array else texts[0]
            lines.append(f"{name} = {whole};\n")
        return "".join(lines) + "----------\n"


def _value(word: str, at: dict[str, int]) -> int:
    if word in at:
        return at[word]
    return int(word == "true") if word in ("true", "false") else int(word)


def _text(word: str, at: dict[str, int]) -> str:
    if word in at and word.startswith("b"):
        return ("false", "true")[at[word]]
    return str(at.get(word, word))


def random_equal_text(seed: int) -> EqualText:
    """Truth values and numbers; most constraints make two equal, in chains and circles, or equal to a number."""
    random = Random(seed)
    values: dict[str, tuple[int, ...]] = {}
    for k in range(random.randint(2, 4)):
        values[f"b{k}"] = (0, 1)
    for k in range(random.randint(2, 4)):
        low = random.choice((0, 0, 0, -1, 1))
        values[f"i{k}"] = random.choice(((0, 1), (0, 1), tuple(range(low, low + 3)), (0, 2)))
    truths, numbers = ([name for name in values if name[0] == kind] for kind in "bi")

    def argument(kind: str) -> str:
        if random.random() < 0.12:
            return random.choice(("true", "false")) if kind == "b" else str(random.choice((0, 1, 1, 2)))
        return random.choice(truths if kind == "b" else numbers)

    kinds = {"bool2int": "bi", "int_eq": "ii", "bool_eq": "bb", "bool_not": "bb", "int_le": "ii"}
    kinds |= {
        "int_eq_reif": "iib",
        "int_ne_reif": "iib",
        "bool_eq_reif": "bbb",
        "bool_or": "bbb",
        "int_times": "iii",
    }
    posted = []
    for _ in range(random.randint(2, 7)):
        name = random.choice(EQUATIONS if random.random() < 0.75 else tuple(MEANINGS))
        words = [argument(kind) for kind in kinds[name]]
        if name.endswith("_reif") and random.random() < 0.8:
            words[random.randrange(2)] = "true" if name[0] == "b" else random.choice("011")
        posted.append((name, words))
    single = random.sample(list(values), random.randint(0, 3))
    entries = [random.choice((*numbers, *numbers, "1")) for _ in range(random.randint(0 if single else 1, 4))]
    shown = [(name, [name]) for name in values if name in single]
    shown += [("all", entries)] if entries else []
    goal = (
        "satisfy"
        if random.random() < 0.6
        else f"{random.choice(('maximize', 'minimize'))} {random.choice(numbers)}"
    )
    lines = []
    for name, domain in values.items():
        kind = "bool" if name[0] == "b" else "{" + ",".join(map(str, domain)) + "}"
        if name[0] == "i" and len(domain) == domain[-1] - domain[0] + 1:
            kind = f"{domain[0]}..{domain[-1]}"
        lines.append(f"var {kind}: {name}{' :: output_var' * (name in single)};")
    if entries:
        lines.append(
            f"array [1..{len(entries)}] of var int: all :: output_array([1..{len(entries)}]) = [{','.join(entries)}];"
        )
    lines += [f"constraint {name}({','.join(words)});" for name, words in posted]
    return EqualText("\n".join([*lines, f"solve {goal};", ""]), values, shown, posted, goal)
