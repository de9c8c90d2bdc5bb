"""The gallery's server: a page, its modules, and questions answered as JSON.

Nothing of a request ever becomes a file name or a puzzle: assets are looked up in a table made at the start,
and the one collection is given. Scans give way to other requests between two of their parts.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable

from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from rekkyo.errors import RekkyoError
from rekkyo.gallery.collection import Collection
from rekkyo.gallery.facts import KINDS, atoms_part, puzzle_facts, read_assets, solution_facts
from rekkyo.gallery.question import MAX_COUNT, Question, read_number, read_question
from rekkyo.gallery.security import Guard
from rekkyo.render.svg.drawing import svg

SVG_POLICY = "default-src 'none'; style-src 'unsafe-inline'; sandbox"

Handler = Callable[[Request], Awaitable[Response]]


def make_app(collection: Collection, host: str) -> Starlette:
    """The application for one collection."""
    server = _Server(collection)
    routes = [
        Route("/", server.page),
        Route("/assets/{name}", server.asset),
        Route("/api/puzzle", _answer(server.puzzle)),
        Route("/api/status", _answer(server.status)),
        Route("/api/atoms/{part}", _answer(server.atoms)),
        Route("/api/rows", _answer(server.rows)),
        Route("/api/rank/{number}", _answer(server.rank)),
        Route("/api/solution/{name}", _answer(server.solution)),
        Route("/api/solution/{number}/svg", _answer(server.picture)),
    ]
    return Starlette(routes=routes, middleware=[Middleware(Guard, host=host)])


def _answer(handler: Handler) -> Handler:
    """What rekkyo refuses is the client's fault, said in one line."""

    async def guarded(request: Request) -> Response:
        try:
            return await handler(request)
        except RekkyoError as problem:
            return JSONResponse({"error": str(problem)}, 400)

    return guarded


class _Server:
    def __init__(self, collection: Collection) -> None:
        self._collection = collection
        self._assets = read_assets()
        self._facts = puzzle_facts(collection)
        self._scanning = asyncio.Lock()

    async def page(self, _request: Request) -> Response:
        return Response(self._assets["index.html"], media_type="text/html")

    async def asset(self, request: Request) -> Response:
        name = request.path_params["name"]
        if name not in self._assets:
            return JSONResponse({"error": "there is no such file"}, 404)
        return Response(self._assets[name], media_type=KINDS["." + name.rpartition(".")[2]])

    async def puzzle(self, _request: Request) -> Response:
        return JSONResponse(self._facts)

    async def status(self, _request: Request) -> Response:
        async with self._scanning:  # a scan must end with the rows with which it began
            source = self._collection.source
            facts = source.refresh()
            return JSONResponse(facts | {"rows": len(source), "version": source.version})

    async def atoms(self, request: Request) -> Response:
        n_atoms = self._facts["n_atoms"]
        most = max(0, (n_atoms - 1) // self._facts["atoms_in_part"])
        part = read_number("a part", request.path_params["part"], most)
        answer = JSONResponse(atoms_part(self._collection, part))
        answer.headers["Cache-Control"] = "private, max-age=60"
        return answer

    async def rows(self, request: Request) -> Response:
        question = read_question(request.query_params)
        start = read_number("from", request.query_params.get("from", "0"))
        count = read_number("count", request.query_params.get("count", "60"), MAX_COUNT)
        await self._scan(question)
        numbers = self._collection.numbers(question, start, count)
        n_passing = self._collection.count(question)
        rows = self._collection.rows(numbers)
        return JSONResponse({"count": n_passing, "numbers": numbers.tolist(), "rows": rows})

    async def rank(self, request: Request) -> Response:
        number = read_number("a solution", request.path_params["number"])
        question = read_question(request.query_params)
        await self._scan(question)
        return JSONResponse({"rank": self._collection.rank(question, number)})

    async def _scan(self, question: Question) -> None:
        async with self._scanning:
            for _ in self._collection.scan(question):
                await asyncio.sleep(0)

    async def solution(self, request: Request) -> Response:
        number = self._collection.source.number(request.path_params["name"])
        return JSONResponse(solution_facts(self._collection, number))

    async def picture(self, request: Request) -> Response:
        number = read_number("a solution", request.path_params["number"])
        drawn = svg(self._collection.puzzle, self._collection.row(number))
        headers = {
            "Content-Security-Policy": SVG_POLICY,
            "Content-Disposition": f'attachment; filename="solution-{number}.svg"',
        }
        return Response(drawn, media_type="image/svg+xml", headers=headers)
