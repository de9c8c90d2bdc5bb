"""What stands between braces in a family: sums and products, and nothing else."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rekkyo.errors import BadInput
from rekkyo.export.puzzle_toml.expressions import LARGEST, value_of

VALUES = {"n": 6, "rows": 2}


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("n", 6),
        ("n+1", 7),
        ("n - 1", 5),
        ("2n", 12),
        ("2 n", 12),
        ("n*n", 36),
        ("n*n+n", 42),
        ("3n*rows - 2n + 1", 25),
        ("1-n-n", -11),
        ("-n", -6),
        (" - 2n + 1", -11),
        ("10", 10),
    ],
)
def test_values(text: str, value: int) -> None:
    assert value_of(text, VALUES) == value


@given(
    st.lists(
        st.lists(st.sampled_from(["n", "rows", "2", "13"]), min_size=1, max_size=3), min_size=1, max_size=4
    )
)
def test_sums_of_products_are_as_in_python(products: list[list[str]]) -> None:
    text = " - ".join("*".join(factors) for factors in products)
    wanted = eval(text, {"__builtins__": {}}, VALUES)  # the oracle; its text is made above
    assert value_of(text, VALUES) == wanted


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("", '"{}" is not a number; 1 to 100 characters stand between braces'),
        ("n" * 101, "1 to 100 characters stand between braces"),
        ("m", 'there is no "m" in [family]; known: n, rows'),
        ("row", 'there is no "row" in [family]; did you mean "rows"?'),
        (
            "n+",
            'in "{n+}" nothing stands where a number or a name should be; write sums and products, such as 2n+1',
        ),
        ("--n", 'in "{--n}" nothing stands where a number or a name should be'),
        ("+n", 'in "{+n}" nothing stands where a number or a name should be'),
        ("n**2", "nothing stands where a number or a name should be"),
        ("n 2", '"n 2" stands where a number or a name should be'),
        ("n+2 2", '"2 2" stands where a number or a name should be'),
        ("n/2", 'in "{n/2}" "n/2" stands where a number or a name should be'),
        ("(n+1)*2", '"(n" stands where a number or a name should be'),
        ("__import__('os')", "stands where a number or a name should be"),
        ("9999999*9999999", f"is more than {LARGEST}; take a smaller size"),
        ("*".join(["n"] * 40), f"is more than {LARGEST}"),
    ],
)
def test_complaints(text: str, complaint: str) -> None:
    with pytest.raises(BadInput) as refusal:
        value_of(text, VALUES)
    assert complaint in str(refusal.value)
