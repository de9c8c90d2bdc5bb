"""The server answers what it is asked, and nothing else."""

from __future__ import annotations

import io
import re
from collections.abc import Iterator
from urllib.parse import quote
from xml.etree import ElementTree

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from starlette.testclient import TestClient

import rekkyo as rk
from rekkyo.ask import played
from rekkyo.export.xcc import read_xcc
from rekkyo.gallery import app, downloads, index
from rekkyo.gallery.app import make_app
from rekkyo.gallery.collection import Collection
from rekkyo.gallery.source import ListedSource
from rekkyo.model.puzzle import Puzzle
from rekkyo.serving.security import host_name, is_loopback
from rekkyo.serving.server import listening


@pytest.fixture(scope="module")
def client() -> Iterator[TestClient]:
    with TestClient(
        make_app([Collection(ListedSource(rk.queens(8)))], "127.0.0.1"), "http://127.0.0.1:8642"
    ) as made:
        yield made


@pytest.mark.parametrize("host", ["\udc80", "a" * 300])
def test_hosts_that_are_none(host: str) -> None:
    with pytest.raises(rk.BadInput, match="cannot listen on"):
        listening(host, 0)


def test_the_page_and_its_files(client: TestClient) -> None:
    page = client.get("/")
    assert page.headers["content-type"].startswith("text/html")
    for name, kind in (
        ("gallery.js", "text/javascript"),
        ("gallery.css", "text/css"),
        ("drawing.css", "text/css"),
    ):
        assert f"assets/{name}" in page.text
        assert client.get(f"/assets/{name}").headers["content-type"].startswith(kind)


def test_no_inline_script_or_style_is_needed(client: TestClient) -> None:
    page = client.get("/").text
    assert "<style" not in page
    assert " style=" not in page
    assert " onclick" not in page
    assert page.count("<script") == 1
    assert '<script defer src="assets/gallery.js"></script>' in page


def test_every_answer_has_the_policy(client: TestClient) -> None:
    for path in (
        "/",
        "/assets/gallery.js",
        "/api/puzzle",
        "/api/rows",
        "/nothing",
        "/assets/nothing",
        "/api/rows?from=x",
    ):
        headers = client.get(path).headers
        policy = headers["content-security-policy"]
        assert "default-src 'none'" in policy
        assert "unsafe" not in policy
        assert headers["x-content-type-options"] == "nosniff"
        assert "access-control-allow-origin" not in headers


def test_rows_and_atoms_make_the_drawing(client: TestClient) -> None:
    facts = client.get("/api/puzzle").json()
    page = client.get("/api/rows?from=90&count=60").json()
    assert (page["count"], page["numbers"]) == (92, [90, 91])
    (atoms,) = [client.get("/api/atoms/0").json()]
    body = facts["background"] + "".join(atoms[8 * p + v][0] for p, v in enumerate(page["rows"][0]))
    assert body in rk.svg(rk.queens(8), page["rows"][0])


def test_filters(client: TestClient) -> None:
    page = client.get("/api/rows?where=0.0&count=5").json()
    assert page["count"] == 4, "four solutions have a queen in the corner"
    assert all(row[0] == 0 for row in page["rows"])
    assert client.get("/api/rows?only=representatives").json()["count"] == 12


def test_one_solution(client: TestClient) -> None:
    facts = client.get("/api/solution/3").json()
    assert facts["row"] in facts["orbit"]
    assert len(facts["orbit"]) * facts["stabilizer_order"] == 8
    assert facts["text"].count("Q") == 8
    picture = client.get("/api/solution/3/svg")
    assert picture.headers["content-disposition"].startswith("attachment")
    assert "script" not in picture.headers["content-security-policy"]
    ElementTree.fromstring(picture.text)


@pytest.mark.parametrize(
    "path",
    [
        "/assets/../app.py",
        "/assets/..%2fapp.py",
        "/assets/%2e%2e/%2e%2e/pyproject.toml",
        "/assets//etc/passwd",
        "/assets/%2fetc%2fpasswd",
        "/assets/gallery.js%00.css",
        "/..%2f..%2fetc/passwd",
        "/manifest.json",
        "/rows-0.bin",
        "/api",
    ],
)
def test_no_other_file(client: TestClient, path: str) -> None:
    answer = client.get(path)
    assert answer.status_code in (400, 404)
    assert "root:" not in answer.text


@pytest.mark.parametrize("number", ["-1", "92", "9" * 15, "9" * 400, "0x1", "1e3", "٣", "1.0", "NaN", "%20"])
def test_solutions_that_are_not_there(client: TestClient, number: str) -> None:
    for path in (f"/api/solution/{number}", f"/api/solution/{number}/svg"):
        answer = client.get(path)
        assert answer.status_code == 400
        assert "\n" not in answer.json()["error"]


@pytest.mark.parametrize(
    "query",
    [
        "from=-1",
        "from=1e9",
        "count=501",
        "count=-1",
        "count=" + "9" * 300,
        "where=0.1",
        "where=999999.0",
        "where=x",
        "order=x",
        "only=x",
    ],
)
def test_questions_out_of_range(client: TestClient, query: str) -> None:
    assert client.get(f"/api/rows?{query}").status_code == 400


def test_far_beyond_the_end_there_is_nothing(client: TestClient) -> None:
    assert client.get("/api/rows?from=999999999999999").json()["rows"] == []


@pytest.mark.parametrize("part", ["-1", "1", "99999999", "x"])
def test_atoms_out_of_range(client: TestClient, part: str) -> None:
    assert client.get(f"/api/atoms/{part}").status_code == 400


@pytest.mark.parametrize(
    ("host", "status"),
    [
        ("127.0.0.1:8642", 200),
        ("localhost:8642", 200),
        ("LOCALHOST", 200),
        ("[::1]:8642", 200),
        ("192.168.1.7:8642", 200),
        ("evil.example", 421),
        ("evil.example:8642", 421),
        ("127.0.0.1.evil.example", 421),
        ("localhost.evil.example:8642", 421),
        ("", 421),
    ],
)
def test_foreign_hosts(client: TestClient, host: str, status: int) -> None:
    assert client.get("/api/puzzle", headers={"host": host}).status_code == status


@pytest.mark.parametrize("method", ["POST", "PUT", "DELETE", "OPTIONS", "PATCH"])
@pytest.mark.parametrize("path", ["/api/rows", "/nothing"])
def test_nothing_can_be_changed(client: TestClient, path: str, method: str) -> None:
    answer = client.request(method, path)
    assert (answer.status_code, answer.json()["error"]) == (405, "there is nothing to change here; use GET")


def test_a_name_that_the_server_was_told_to_listen_on() -> None:
    app = make_app([Collection(ListedSource(rk.queens(4)))], "box.lan")
    with TestClient(app, "http://box.lan:8642") as client:
        assert client.get("/api/puzzle").status_code == 200


def test_names_with_markup_stay_text() -> None:
    cover = read_xcc("<img/x>\n<img/x>\n", "evil")
    puzzle = Puzzle("<script>alert(1)</script>", cover, "<b>x</b>")
    with TestClient(make_app([Collection(ListedSource(puzzle))], "127.0.0.1"), "http://localhost") as client:
        facts = client.get("/api/puzzle").json()
        assert "<img" not in facts["background"]
        assert "<img" not in client.get("/api/atoms/0").text.replace("&lt;img", "")
        assert "<script" not in client.get("/").text.replace(
            '<script defer src="assets/gallery.js"></script>', ""
        )


@pytest.mark.parametrize(
    ("header", "name"), [("a:1", "a"), ("[::1]:80", "::1"), ("A", "a"), ("[::1", "::1"), ("", "")]
)
def test_names_in_host_headers(header: str, name: str) -> None:
    assert host_name(header) == name


def test_loopback() -> None:
    assert all(map(is_loopback, ("127.0.0.1", "::1", "localhost", "LocalHost")))
    assert not any(map(is_loopback, ("0.0.0.0", "box")))


def test_where_a_solution_is(client: TestClient) -> None:
    for query in ("", "where=0.0", "order=shuffled&only=representatives"):
        numbers = client.get(f"/api/rows?{query}&count=100").json()["numbers"]
        assert client.get(f"/api/rank/{numbers[2]}?{query}").json() == {"rank": 2}
    assert client.get("/api/rank/91?where=0.0").json() == {"rank": None}
    assert client.get("/api/rank/-1").status_code == 400


def test_a_long_scan_says_how_far_it_is_and_goes_on_when_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(app, "SCAN_SECONDS", -1)
    monkeypatch.setattr(index, "SCAN_ROWS", 30)
    with TestClient(
        make_app([Collection(ListedSource(rk.queens(8)))], "127.0.0.1"), "http://localhost"
    ) as client:
        said = []
        while (answer := client.get("/api/rows?where=0.0")).status_code == 202:
            assert client.get("/api/status").json()["rows"] == 92
            said.append(answer.json())
        assert said == [{"scanned": seen, "of": 92} for seen in (30, 60, 90, 92)]
        assert answer.json()["count"] == 4
        assert client.get("/api/rows?where=!0.0").json()["count"] == 88, "the same look at the rows"


def test_heat_and_placements(client: TestClient) -> None:
    heat = client.get("/api/heat?where=0.0").json()
    assert heat["count"] == 4
    assert [0, 0, 4] in heat["places"]
    assert sum(times for _, _, times in heat["places"]) == 4 * 8
    assert client.get("/api/placements?spot=0&kind=0&where=0.0").json() == {"count": 4, "atoms": [[0, 4]]}
    for query in ("", "spot=0", "spot=0&kind=1", "spot=64&kind=0", "spot=-1&kind=0"):
        assert client.get(f"/api/placements?{query}").status_code == 400
    palette = {"names": ["a queen"], "of_atom": None, "examples": [0], "has_placements": False}
    assert client.get("/api/kinds").json() == palette


def test_the_palette_of_pieces() -> None:
    gallery = Collection(ListedSource(rk.puzzle("pentominoes 3 20")))
    with TestClient(make_app([gallery], "127.0.0.1"), "http://localhost") as client:
        facts, palette = client.get("/api/puzzle").json(), client.get("/api/kinds").json()
        assert palette["has_placements"]
        for thing, atom in enumerate(palette["examples"]):
            assert {other for _, other in gallery.painting.pairs_of_atom(atom)} == {thing}
        assert palette["names"] == facts["things"]
        assert len(palette["examples"]) == 12


def test_the_palette_of_one_piece_has_its_orientations() -> None:
    gallery = Collection(ListedSource(rk.puzzle("dominoes 2 3")))
    with TestClient(make_app([gallery], "127.0.0.1"), "http://localhost") as client:
        palette, heat = client.get("/api/kinds").json(), client.get("/api/heat").json()
        assert palette["names"] == ["orientation 1", "orientation 2"]
        lying = {kind for kind in range(2) if [1, kind, 2] in heat["places"]}
        corner = [times for spot, kind, times in heat["places"] if spot == 0]
        assert (heat["count"], sorted(corner), len(lying)) == (3, [1, 2], 1)
        counts = [
            atom
            for kind in range(2)
            for atom in client.get(f"/api/placements?spot=2&kind={kind}").json()["atoms"]
        ]
        assert sorted(times for _, times in counts) == [1, 1, 1]


def test_a_table_has_the_empty_solution() -> None:
    puzzle = rk.Puzzle("some", rk.ExactCover(("a",), (), (((0, 0),),), ((0, 1),)), "some")
    with TestClient(
        make_app([Collection(ListedSource(puzzle))], "127.0.0.1"), "http://127.0.0.1:8642"
    ) as client:
        table = client.get("/api/download?format=csv").text.splitlines()
    assert sorted(line for line in table if not line.startswith("#")) == ['""', "0", "o0"]


def test_images_have_names(client: TestClient) -> None:
    facts = client.get("/api/solution/3").json()
    names = client.get("/api/solution/3/images").json()["names"]
    assert len(names) == len(facts["orbit"]) == facts["orbit_size"]
    for name, row in zip(names, facts["orbit"], strict=True):
        assert client.get(f"/api/solution/{name}").json()["row"] == row


def test_downloads(client: TestClient) -> None:
    rows = client.get("/api/rows?where=0.0").json()["rows"]
    table = client.get("/api/download?format=csv&where=0.0").text.splitlines()
    lines = [line for line in table if not line.startswith("#")]
    assert lines == ["p0,p1,p2,p3,p4,p5,p6,p7", *(",".join(map(str, row)) for row in rows)]
    answer = client.get("/api/download?format=npy&where=0.0")
    assert np.load(io.BytesIO(answer.content)).tolist() == rows
    assert answer.headers["content-disposition"] == 'attachment; filename="solutions.npy"'
    assert np.load(io.BytesIO(client.get("/api/download?format=npy").content)).shape == (92, 8)
    picture = client.get("/api/download?format=png&among=5").content
    assert picture.startswith(b"\x89PNG")
    for query in ("", "format=exe", "format=csv&where=x"):
        assert client.get(f"/api/download?{query}").status_code == 400


@pytest.mark.parametrize(
    ("query", "shown", "first"),
    [
        ("among=5_3", [3, 5], None),
        ("among=4_5_3", [3, 4, 5], 3),
        ("among=4_5&order=reversed", [5, 4], None),
        ("among=7", [7], 7),
        ("among=", [], None),
    ],
)
def test_a_sheet_has_the_numbers_of_solutions_that_follow_each_other(
    client: TestClient, query: str, shown: list[int], first: int | None
) -> None:
    rows = [client.get(f"/api/solution/{number}").json()["row"] for number in shown]
    drawn = client.get(f"/api/download?format=svg&{query}").text
    assert drawn == str(rk.sheet(rk.queens(8), rows, theme="light", first=first))


def test_a_sheet_of_too_many(client: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(downloads, "MAX_ON_SHEET", 91)
    answer = client.get("/api/download?format=svg")
    assert answer.status_code == 400
    assert answer.json()["error"].startswith("a sheet holds at most 91 solutions, not 92")


def test_the_page_that_plays_the_search(client: TestClient) -> None:
    answer = client.get("/search")
    policy = answer.headers["content-security-policy"]
    script = re.search(r"script-src ([^;]*)", policy)
    assert script
    assert "unsafe" not in script[1]
    assert "sandbox allow-scripts" in policy
    assert "step by step" in answer.text


def test_a_search_that_is_too_large_to_watch(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(played, "MAX_DEPTH", 3)
    gallery = Collection(ListedSource(rk.queens(4)))
    with TestClient(make_app([gallery], "127.0.0.1"), "http://localhost") as client:
        answer = client.get("/search")
    assert answer.status_code == 400
    assert "a search to watch has at most 3 decisions" in answer.json()["error"]


def test_several_galleries() -> None:
    each = [Collection(ListedSource(rk.queens(n))) for n in (4, 5)]
    with TestClient(make_app(each, "127.0.0.1"), "http://localhost") as client:
        assert client.get("/").url.path == "/0/"
        assert client.get("/1/assets/gallery.js").status_code == 200
        for k, n in enumerate((4, 5)):
            facts = client.get(f"/{k}/api/puzzle").json()
            assert (facts["puzzle"], facts["gallery"]) == (f"queens {n}", k)
            assert facts["galleries"] == ["queens 4", "queens 5"]
        for path in ("/2/", "/api/puzzle", "/0/1/", "/-1/"):
            assert client.get(path).status_code == 404
            assert "default-src 'none'" in client.get(path).headers["content-security-policy"]


WORDS = st.one_of(
    st.sampled_from(
        ["0.0", "!0.0", "a0", "a63", "a64", "0.1", "64.0", "abc", "", "_", "~", "0.0~!1.0_2.0", "csv", "npy"]
    ),
    st.sampled_from(
        ["found", "least", "shuffled", "representatives", "symmetric", "0", "91", "92", "1-0", "-1", "1e3"]
    ),
    st.text(max_size=12),
)
PATHS = [
    "rows",
    "rank/5",
    "heat",
    "placements",
    "download",
    "solution/{}",
    "solution/{}/images",
    "solution/{}/svg",
    "atoms/{}",
]
NAMES = ["where", "only", "order", "among", "from", "count", "spot", "kind", "format"]


@given(st.sampled_from(PATHS), WORDS, st.dictionaries(st.sampled_from(NAMES), WORDS, max_size=5))
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
def test_whatever_is_asked_is_answered_or_refused_in_one_line(
    client: TestClient, path: str, word: str, query: dict[str, str]
) -> None:
    answer = client.get("/api/" + path.format(quote(word, safe="")), params=query)
    assert answer.status_code in (200, 202, 400, 404)
    if answer.status_code == 400:
        error = answer.json()["error"]
        assert error.isprintable()
        assert len(error) < 300
