"""The server answers what it is asked, and nothing else."""

from __future__ import annotations

from collections.abc import Iterator
from xml.etree import ElementTree

import pytest
from starlette.testclient import TestClient

import rekkyo as rk
from rekkyo.export.xcc import read_xcc
from rekkyo.gallery.app import make_app
from rekkyo.gallery.collection import Collection
from rekkyo.gallery.security import host_name, is_loopback
from rekkyo.gallery.source import ListedSource
from rekkyo.model.puzzle import Puzzle


@pytest.fixture(scope="module")
def client() -> Iterator[TestClient]:
    with TestClient(
        make_app(Collection(ListedSource(rk.queens(8))), "127.0.0.1"), "http://127.0.0.1:8642"
    ) as made:
        yield made


def test_the_page_and_its_files(client: TestClient) -> None:
    page = client.get("/")
    assert page.headers["content-type"].startswith("text/html")
    for name, kind in (
        ("main.js", "text/javascript"),
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
    assert '<script type="module" src="assets/main.js"></script>' in page


def test_every_answer_has_the_policy(client: TestClient) -> None:
    for path in (
        "/",
        "/assets/main.js",
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
        "/assets/main.js%00.css",
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
def test_nothing_can_be_changed(client: TestClient, method: str) -> None:
    assert client.request(method, "/api/rows").status_code == 405


def test_a_name_that_the_server_was_told_to_listen_on() -> None:
    app = make_app(Collection(ListedSource(rk.queens(4))), "box.lan")
    with TestClient(app, "http://box.lan:8642") as client:
        assert client.get("/api/puzzle").status_code == 200


def test_names_with_markup_stay_text() -> None:
    cover = read_xcc("<img/x>\n<img/x>\n", "evil")
    puzzle = Puzzle("<script>alert(1)</script>", cover, "<b>x</b>")
    with TestClient(make_app(Collection(ListedSource(puzzle)), "127.0.0.1"), "http://localhost") as client:
        facts = client.get("/api/puzzle").json()
        assert "<img" not in facts["background"]
        assert "<img" not in client.get("/api/atoms/0").text.replace("&lt;img", "")
        assert "<script" not in client.get("/").text.replace(
            '<script type="module" src="assets/main.js"></script>', ""
        )


@pytest.mark.parametrize(
    ("header", "name"), [("a:1", "a"), ("[::1]:80", "::1"), ("A", "a"), ("[::1", "::1"), ("", "")]
)
def test_names_in_host_headers(header: str, name: str) -> None:
    assert host_name(header) == name


def test_loopback() -> None:
    assert [is_loopback(h) for h in ("127.0.0.1", "::1", "localhost", "0.0.0.0", "box")] == [True] * 3 + [
        False
    ] * 2


def test_where_a_solution_is(client: TestClient) -> None:
    for query in ("", "where=0.0", "order=shuffled&only=representatives"):
        numbers = client.get(f"/api/rows?{query}&count=100").json()["numbers"]
        assert client.get(f"/api/rank/{numbers[2]}?{query}").json() == {"rank": 2}
    assert client.get("/api/rank/91?where=0.0").json() == {"rank": None}
    assert client.get("/api/rank/-1").status_code == 400
