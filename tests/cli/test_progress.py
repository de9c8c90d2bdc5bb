"""The progress bar of a command, and what an interrupted one says."""

from __future__ import annotations

import re
import sys

import pytest

from rekkyo.cli.progress import CHECK, ESTIMATE, Interrupted, describe, progress_bar
from rekkyo.search.progress import Progress
from tests.cli.terminals import in_terminal
from tests.programs import run


class TestProgress:
    SHOW_AT_ONCE = (
        "import rekkyo.cli.progress as progress; progress.SHOW_AFTER_S = 0.0\n"
        "from rekkyo.cli.main import main; main()"
    )

    COUNT = ("count", "queens", "14", "--engine", "queens-bitmap", "--workers", "1")
    COLORS = re.compile(r"\x1b\[[0-9;]*3[0-9]")

    def test_a_bar_with_a_range_for_long_work(self) -> None:
        screen = in_terminal([sys.executable, "-c", self.SHOW_AT_ONCE, *self.COUNT])
        assert "queens 14: " in screen
        assert "getting ready" in screen
        assert "found" in screen
        assert " left" in screen
        assert "total 365596" in screen
        assert self.COLORS.search(screen)

    def test_no_color(self) -> None:
        screen = in_terminal([sys.executable, "-c", self.SHOW_AT_ONCE, *self.COUNT], NO_COLOR="1")
        assert "found" in screen
        assert not self.COLORS.search(screen)

    def test_no_bar_without_a_terminal(self) -> None:
        done = run([sys.executable, "-c", self.SHOW_AT_ONCE, "count", "queens", "12"])
        assert done.stdout == "total 14200, unique 1787 up to rotation and reflection\n"
        assert done.stderr.count("\n") == 1

    @pytest.mark.parametrize("n_columns", [40, 60, 80, 200])
    def test_the_bar_fits_its_terminal(self, n_columns: int) -> None:
        """A line that is too long would be broken, and each picture of the bar would leave a line behind."""
        from rekkyo.search.progress import Progress as Seen

        code = (
            "import rekkyo.cli.progress as p; p.SHOW_AFTER_S = 0.0\n"
            "from rekkyo.search.progress import Progress\n"
            "with p.progress_bar('a-puzzle-with-a-name-that-is-much-too-long-for-a-line 1 2 3') as watch:\n"
            f"    watch({Seen(123456789, 10**12, 300, 812, 3000.0, (1e5, 2e5))!r})\n"
            "    import time; time.sleep(0.4)\n"
        )
        screen = in_terminal([sys.executable, "-c", code], COLUMNS=str(n_columns))
        lines = re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", screen).replace("\n", "\r").split("\r")
        assert max(map(len, lines)) <= n_columns
        assert any("50 min" in line for line in lines)
        assert any("a-" in line for line in lines)
        assert any("123,456,789 found" in line for line in lines) or n_columns < 80

    @pytest.mark.parametrize(
        ("expected", "said"),
        [
            ((12.94e6, 13.06e6), "12.9 to 13.1 million expected in total"),
            ((12.96e6, 13.04e6), "13 million expected in total"),
            ((80.0, 112.0), "80 to 112 expected in total"),
            ((950.0, 1900.0), "0.95 to 1.9 thousand expected in total"),
            (None, "left"),
        ],
    )
    def test_what_is_expected_in_all(self, expected: tuple[float, float] | None, said: str) -> None:
        seen = Progress(64, 99, 8, 812, 65.0, (1.0, 2.0), expected=expected)
        assert describe(seen).endswith(said)

    def test_what_is_said_at_an_interruption(self) -> None:
        with pytest.raises(Interrupted) as seen, progress_bar("queens 8") as watch:
            watch(Progress(1234, 99, 3, 812, 65.0, None))
            raise KeyboardInterrupt
        message = (
            "interrupted after 65 s, 1,234 found so far, which is not a total: 3 of 812 shards were done"
        )
        assert seen.value.format_message() == message

    @pytest.mark.parametrize(
        ("result", "shown", "said"),
        [
            (
                CHECK,
                "1,234 rows checked, 19/s",
                "1,234 rows checked so far, which is not a check of all rows: 3 of",
            ),
            (ESTIMATE, "1,234 found, 19/s", "before there was an estimate"),
        ],
    )
    def test_what_comes_to_no_total_is_not_called_one(self, result: str, shown: str, said: str) -> None:
        """`verify`, `repair` and `estimate` spoke of solutions that were found, and of a total."""
        progress = Progress(1234, 99, 3, 812, 65.0, None)
        assert f"65 s, {shown}, time left" in describe(progress, result)
        with pytest.raises(Interrupted) as seen, progress_bar("runs/q8", result=result) as watch:
            watch(progress)
            raise KeyboardInterrupt
        assert seen.value.format_message().startswith(f"interrupted after 65 s, {said}")

    def test_a_search_that_is_over_has_no_number_of_shards(self) -> None:
        """Of a short search that was tried before, it said: 1 of 1 shard were done."""
        with pytest.raises(Interrupted) as seen, progress_bar("queens 8") as watch:
            watch(Progress(0, 99, 1, 1, 65.0, None))
            raise KeyboardInterrupt
        assert seen.value.format_message() == "interrupted after 65 s, before there was a total"

    def test_what_is_said_before_the_optimum_is_proved(self) -> None:
        stage = "best value so far 7, looking for a better one"
        with pytest.raises(Interrupted) as seen, progress_bar("queens 8") as watch:
            watch(Progress(0, 99, 0, 0, 65.0, None, stage))
            raise KeyboardInterrupt
        message = f"interrupted after 65 s of this part of the search: {stage}"
        assert seen.value.format_message() == message
