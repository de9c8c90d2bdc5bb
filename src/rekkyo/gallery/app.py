"""The gallery's server: a page, its modules, and answers to questions as JSON.

No part of a request becomes a file name or a puzzle: assets are looked up in a table made at the start, and
the collections are given. No request scans for longer than SCAN_SECONDS: if it needs more, the answer is the
progress of the scan, and the client repeats the request. So a scan stops when no client repeats its request,
and other requests are answered between its parts.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Sequence

from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.middleware.gzip import GZipMiddleware
from starlette.requests import Request
from starlette.responses import JSONResponse, RedirectResponse, Response, StreamingResponse
from starlette.routing import BaseRoute, Mount, Route

from rekkyo.ask.played import played_page
from rekkyo.errors import BadInput, RekkyoError
from rekkyo.gallery.collection import MAX_IMAGES, Collection, least_first
from rekkyo.gallery.downloads import TABLES, Download, download
from rekkyo.gallery.facts import atoms_part, kind_facts, look_part, puzzle_facts, read_assets, solution_facts
from rekkyo.gallery.question import MAX_COUNT, Question, read_number, read_question
from rekkyo.render.svg.drawing import svg
from rekkyo.serving.responses import asset_response, played_response
from rekkyo.serving.security import Guard

SVG_POLICY = "default-src 'none'; style-src 'unsafe-inline'; sandbox"
KEPT_A_MINUTE = {"Cache-Control": "private, max-age=60"}
SCAN_SECONDS = 0.25
MAX_PLACEMENTS = 200

Handler = Callable[[Request], Awaitable[Response]]


def make_app(collections: Sequence[Collection], host: str) -> Starlette:
    """The application for one collection, or for several, each under its number."""
    names = [collection.puzzle.name for collection in collections]
    each = [_routes(_Server(collection, names, k)) for k, collection in enumerate(collections)]
    routes: list[BaseRoute] = each[0]
    if len(each) > 1:

        async def first(_request: Request) -> Response:
            return RedirectResponse("0/")

        routes = [Route("/", first), *(Mount(f"/{k}", routes=some) for k, some in enumerate(each))]
    compressed = Middleware(GZipMiddleware, compresslevel=4)
    return Starlette(routes=routes, middleware=[Middleware(Guard, host=host), compressed])


def _routes(server: _Server) -> list[BaseRoute]:
    answers: dict[str, Handler] = {
        "puzzle": server.puzzle,
        "status": server.status,
        "atoms/{part}": server.atoms,
        "looks/{look}/{part}": server.look,
        "kinds": server.kinds,
        "rows": server.rows,
        "rank/{number}": server.rank,
        "heat": server.heat,
        "placements": server.placements,
        "download": server.download,
        "solution/{name}": server.solution,
        "solution/{name}/images": server.images,
        "solution/{number}/svg": server.picture,
    }
    return [
        Route("/", server.page),
        Route("/assets/{name}", server.asset),
        Route("/search", _answer(server.search)),
        *(Route(f"/api/{path}", _answer(handler)) for path, handler in answers.items()),
    ]


def _answer(handler: Handler) -> Handler:
    """Turn errors of rekkyo into responses with one line of text, as errors of the client."""

    async def guarded(request: Request) -> Response:
        try:
            return await handler(request)
        except RekkyoError as problem:
            return JSONResponse({"error": str(problem)}, 400)

    return guarded


class _Server:
    def __init__(self, collection: Collection, names: Sequence[str], number: int) -> None:
        self._collection = collection
        self._assets = read_assets()
        self._facts = puzzle_facts(collection) | {"galleries": names, "gallery": number, "search": "search"}
        self._search_page: str | None = None

    async def page(self, _request: Request) -> Response:
        return Response(self._assets["index.html"], media_type="text/html")

    async def asset(self, request: Request) -> Response:
        return asset_response(self._assets, request.path_params["name"])

    async def search(self, _request: Request) -> Response:
        """The page that plays the search."""
        if self._search_page is None:
            self._search_page = await asyncio.to_thread(played_page, self._collection.puzzle)
        return played_response(self._search_page)

    async def puzzle(self, _request: Request) -> Response:
        return JSONResponse(self._facts)

    async def status(self, _request: Request) -> Response:
        source = self._collection.source
        facts = source.refresh()
        return JSONResponse(facts | {"rows": len(source), "version": source.version})

    async def atoms(self, request: Request) -> Response:
        return JSONResponse(atoms_part(self._collection, self._part(request)), headers=KEPT_A_MINUTE)

    async def look(self, request: Request) -> Response:
        look = read_number("a look", request.path_params["look"], self._collection.painting.most_looks - 1)
        return JSONResponse(look_part(self._collection, look, self._part(request)), headers=KEPT_A_MINUTE)

    def _part(self, request: Request) -> int:
        most = max(0, (self._facts["n_atoms"] - 1) // self._facts["atoms_in_part"])
        return read_number("a part", request.path_params["part"], most)

    async def kinds(self, _request: Request) -> Response:
        return JSONResponse(kind_facts(self._collection))

    async def rows(self, request: Request) -> Response:
        question = read_question(request.query_params)
        start = read_number("from", request.query_params.get("from", "0"))
        count = read_number("count", request.query_params.get("count", "60"), MAX_COUNT)
        if unfinished := await self._sorted(question):
            return unfinished
        numbers = self._collection.numbers(question, start, count)
        n_passing = self._collection.count(question)
        rows = self._collection.rows(numbers)
        return JSONResponse({"count": n_passing, "numbers": numbers.tolist(), "rows": rows})

    async def rank(self, request: Request) -> Response:
        number = read_number("a solution", request.path_params["number"])
        question = read_question(request.query_params)
        if unfinished := await self._sorted(question):
            return unfinished
        return JSONResponse({"rank": self._collection.rank(question, number)})

    async def heat(self, request: Request) -> Response:
        question = read_question(request.query_params)
        if unfinished := await self._go_on(self._collection.scan_heat(question)):
            return unfinished
        heat = self._collection.heat(question)
        return JSONResponse({"count": heat.n_rows, "places": heat.places(self._collection.kinds.at)})

    async def placements(self, request: Request) -> Response:
        question = read_question(request.query_params)
        spot = read_number("a spot", request.query_params.get("spot", ""))
        kind = read_number("a kind", request.query_params.get("kind", ""))
        atoms = self._collection.kinds.at.get((spot, kind))
        if atoms is None:
            raise BadInput(f"no solution can have kind {kind} at spot {spot}")
        if unfinished := await self._go_on(self._collection.scan_heat(question)):
            return unfinished
        heat = self._collection.heat(question)
        return JSONResponse({"count": heat.n_rows, "atoms": heat.placements(atoms)[:MAX_PLACEMENTS]})

    async def download(self, request: Request) -> Response:
        question = read_question(request.query_params)
        form = request.query_params.get("format", "")
        found = self._go_on(self._collection.scan(question)) if form in TABLES else self._sorted(question)
        if unfinished := await found:
            return unfinished
        made: Download = download(self._collection, question, form)
        headers = {
            "Content-Disposition": f'attachment; filename="solutions.{made.suffix}"',
            "Content-Security-Policy": SVG_POLICY,
            "Content-Encoding": "identity",  # a gigabyte takes longer to compress than to send
        }

        async def sent() -> AsyncIterator[bytes]:
            for part in made.parts:
                yield part
                await asyncio.sleep(0)

        return StreamingResponse(sent(), media_type=made.kind, headers=headers)

    async def _sorted(self, question: Question) -> Response | None:
        """Scan for a while, and sort; returns the progress, or None if the order of what passes is known."""
        collection = self._collection
        while True:
            if unfinished := await self._go_on(collection.scan(question)):
                return unfinished
            to_sort = collection.rows_to_sort(question)
            if to_sort is None:
                return None
            state, parts = collection.state, []
            for part in to_sort:  # not in the thread: a reader of rows has only one
                parts.append(part)
                await asyncio.sleep(0)
            order = await asyncio.to_thread(least_first, parts)
            if collection.state == state:
                collection.keep_order(question, order)
                return None

    async def _go_on(self, scan: Iterator[int]) -> Response | None:
        end = time.monotonic() + SCAN_SECONDS
        for n_seen in scan:
            await asyncio.sleep(0)
            if time.monotonic() >= end:
                return JSONResponse({"scanned": n_seen, "of": len(self._collection.source)}, 202)
        return None

    async def solution(self, request: Request) -> Response:
        number = self._collection.source.number(request.path_params["name"])
        return JSONResponse(solution_facts(self._collection, number))

    async def images(self, request: Request) -> Response:
        """The names of a solution's first images, null for those that are not stored."""
        source = self._collection.source
        row = self._collection.row(source.number(request.path_params["name"]))
        if unfinished := await self._go_on(self._collection.images(row).scan()):
            return unfinished
        numbers = self._collection.images(row).numbers
        names = [
            source.name(numbers[image]) if image in numbers else None
            for image in self._collection.orbit(row)[:MAX_IMAGES]
        ]
        return JSONResponse({"names": names})

    async def picture(self, request: Request) -> Response:
        number = read_number("a solution", request.path_params["number"])
        drawn = svg(self._collection.puzzle, self._collection.row(number))
        headers = {
            "Content-Security-Policy": SVG_POLICY,
            "Content-Disposition": f'attachment; filename="solution-{number}.svg"',
        }
        return Response(drawn, media_type="image/svg+xml", headers=headers)
