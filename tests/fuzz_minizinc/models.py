"""Random small models in MiniZinc, of what rekkyo reads."""

from __future__ import annotations

from dataclasses import dataclass
from random import Random

FILES = (
    "alldifferent all_equal alldifferent_except_0 alldifferent_except among at_least at_most bin_packing_load"
    " circuit count_eq cumulative diffn element exactly global_cardinality global_cardinality_closed"
    " global_cardinality_low_up increasing inverse lex_chain_lesseq lex_less lex_lesseq maximum member minimum"
    " nvalue regular sliding_sum sort strictly_increasing subcircuit table value_precede_chain"
)
"""Of MiniZinc's library. Its `globals.mzn` and Debian's Gecode do not go together."""


@dataclass(frozen=True)
class Model:
    """A text without the goal and the output; objective: None for satisfaction. shown: what is output."""

    text: str
    goal: str
    objective: str | None
    shown: tuple[str, ...]

    def whole(self, more: str = "") -> str:
        goal = self.goal if self.objective is None or not more else "satisfy"
        shown = ', " ", '.join(f"show({name})" for name in self.shown)
        return f"{self.text}{more}solve {goal};\noutput [{shown}];\n"


def random_model(seed: int) -> Model:
    return _Maker(Random(seed)).model()


class _Maker:
    def __init__(self, dice: Random) -> None:
        self.dice = dice
        self.numbers: list[str] = []
        self.truths: list[str] = []
        self.arrays: list[tuple[str, int, int]] = []
        self.lines = [f'include "{name}.mzn";' for name in FILES.split()]

    def model(self) -> Model:
        self.declare()
        # More variables have more solutions, which more constraints make fewer.
        for _ in range(self.dice.randint(1, 2) + len(self.numbers) // 4):
            made = self.world() if self.dice.random() < 0.45 else self.truth(3)
            self.lines.append(f"constraint {made};")
        objective = self.number(2) if self.dice.random() < 0.15 else None
        goal = "satisfy"
        if objective is not None:
            self.lines.append(f"var int: objective = {objective};")
            goal = self.dice.choice(("minimize", "maximize")) + " objective"
        names = [name for name in self.numbers if "[" not in name] + self.truths
        names += [name for name, _, _ in self.arrays]
        if self.dice.random() < 0.3:
            names = self.dice.sample(names, max(1, len(names) // 2))
        return Model("\n".join(self.lines) + "\n", goal, objective and "objective", tuple(names))

    def declare(self) -> None:
        for name in "xyz"[: self.dice.randint(1, 3)]:
            self.lines.append(f"var {self.domain()}: {name};")
            self.numbers.append(name)
        for name in "bc"[: self.dice.randint(0, 2)]:
            self.lines.append(f"var bool: {name};")
            self.truths.append(name)
        for name in "pq"[: self.dice.randint(0, 2)]:
            size, first = self.dice.randint(2, 4), self.dice.choice((0, 1, 1, 1, -1))
            last = first + size - 1
            values = f"{first}..{last}" if self.dice.random() < 0.6 else self.domain()
            self.lines.append(f"array[{first}..{last}] of var {values}: {name};")
            self.arrays.append((name, first, last))
            self.numbers += [f"{name}[{at}]" for at in range(first, last + 1)]

    def domain(self) -> str:
        if self.dice.random() < 0.2:
            return "{" + ",".join(map(str, sorted(self.dice.sample(range(-4, 8), 3)))) + "}"
        low = self.dice.choice((-3, -1, 0, 0, 1, 1))
        return f"{low}..{low + self.dice.randint(1, 4)}"

    def value(self) -> str:
        return str(self.dice.randint(-2, 5))

    def set(self) -> str:
        low = self.dice.randint(-2, 4)
        return self.dice.choice((f"{low}..{low + 2}", f"{{{low},{low + 2},{low + 3}}}"))

    def number(self, depth: int) -> str:
        leaf = self.dice.choice([*self.numbers, self.value()])
        if depth == 0 or self.dice.random() < 0.25:
            return leaf
        a, b = self.number(depth - 1), self.number(depth - 1)
        made = [
            f"({a} + {b})",
            f"({a} - {b})",
            f"({a} * {b})",
            f"({a} div {b})",
            f"({a} mod {b})",
            f"abs({a})",
            f"min({a}, {b})",
            f"max([{a}, {b}, {leaf}])",
            f"min([{a}, {b}, {leaf}])",
            f"bool2int({self.truth(depth - 1)})",
            f"(if {self.truth(depth - 1)} then {a} else {b} endif)",
            f"pow({leaf}, {self.dice.randint(0, 3)})",
            f"[2, 0, 3, 1][{a}]",
            f"count([{a}, {b}, {leaf}], {self.value()})",
            f"sum([{a}, {b}, 2 * {leaf}])",
        ]
        if self.arrays:
            name, _, _ = self.dice.choice(self.arrays)
            made += [f"{name}[{a}]", f"sum({name})", f"max({name})", f"count({name}, {a})"]
        return self.dice.choice(made)

    def truth(self, depth: int) -> str:
        if depth == 0:
            return self.dice.choice(
                [*self.truths, f"{self.number(0)} = {self.value()}", f"{self.number(0)} > 1"]
            )
        a, b = self.number(depth - 1), self.number(depth - 1)
        p, q = self.truth(depth - 1), self.truth(depth - 1)
        made = [f"({a} {sign} {b})" for sign in ("=", "!=", "<", "<=", ">=", "!=", "<")]
        made += [f"({p} {sign} {q})" for sign in ("/\\", "\\/", "->", "<->", "xor")]
        made += [
            f"not ({p})",
            f"({a} in {self.set()})",
            f"exists([{p}, {q}])",
            f"forall([{p}, {q}])",
            f"alldifferent([{a}, {b}, {self.number(0)}])",
            f"table([{self.number(0)}, {self.number(0)}], {self.rows(2)})",
            f"xorall([{p}, {q}])",
            f"[true, false, {p}][{a}]",
        ]
        return self.dice.choice(made)

    def rows(self, width: int) -> str:
        rows = [",".join(self.value() for _ in range(width)) for _ in range(self.dice.randint(1, 6))]
        return "[|" + "|".join(rows) + "|]"

    def several(self, n: int) -> str:
        return "[" + ",".join(self.number(self.dice.choice((0, 0, 1))) for _ in range(n)) + "]"

    def world(self) -> str:
        """A global constraint."""
        n = self.dice.randint(2, 4)
        x = self.several(n)
        if self.arrays and self.dice.random() < 0.7:
            x, first, last = self.dice.choice(self.arrays)
            n = last - first + 1
        y = self.several(n)
        a, v, w = self.number(1), self.value(), self.value()
        positive = f"[max(1, e) | e in {x}]"
        table = ",".join(str(self.dice.randint(0, 3)) for _ in range(9))
        rows = "|".join(table[at : at + 5] for at in (0, 6, 12))
        kinds = [
            f"alldifferent({x})",
            f"alldifferent_except_0({x})",
            f"alldifferent_except({x}, {self.set()})",
            f"all_equal({x})",
            f"table({x}, {self.rows(n)})",
            f"circuit({x})",
            f"subcircuit({x})",
            f"count_eq({x}, {a}, {self.number(0)})",
            f"count({x}, {v}) {self.dice.choice(('<=', '=', '>', '!='))} {a}",
            f"among({x}, {self.set()}) = {a}",
            f"at_least(1, {x}, {v})",
            f"at_most(1, {x}, {v})",
            f"exactly(1, {x}, {v})",
            f"global_cardinality({x}, [{v}, 3], [{a}, {self.number(0)}])",
            f"global_cardinality_closed({x}, [{v}, 3], [{a}, {self.number(0)}])",
            f"global_cardinality_low_up({x}, [{v}, 3], [0, 1], [1, 2])",
            f"lex_less({x}, {y})",
            f"lex_lesseq({x}, {self.several(self.dice.randint(1, 4))})",
            f"increasing({x})",
            f"strictly_increasing({x})",
            f"nvalue({a}, {x})",
            f"maximum({a}, {x})",
            f"minimum({a}, {x})",
            f"member({x}, {a})",
            f"sort({x}, {y})",
            f"sliding_sum({v}, {v} + 4, 2, {x})",
            f"value_precede_chain([1, 2, 3], {x})",
            f"inverse({x}, {y if x.startswith('[') else x})",
            f"regular({x}, 3, 3, [|{rows}|], 1, {{2, 3}})",
            # Gecode 6.2.0 loses solutions where a duration can be 0: seed 4266 had 2048, it found 1800.
            f"cumulative({x}, [max(1, e) | e in {y}], [1 | _ in 1..{n}], 2)",
            f"bin_packing_load([3, 2], {x}, [1 | _ in 1..{n}])" if n == 2 else f"increasing({x})",
            f"not alldifferent({x})",
            f"({self.truth(1)} -> table({x}, {self.rows(n)}))" if n <= 3 else f"alldifferent({x})",
            f"sum(e in {positive})(e) > {w}",
        ]
        return self.dice.choice(kinds)
