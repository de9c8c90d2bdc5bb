"""The declared variables and arrays of an XCSP3 instance, in the order of the file."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import groupby
from math import prod
from typing import TYPE_CHECKING

from rekkyo.errors import in_short
from rekkyo.export.flatzinc.domains import Unknown
from rekkyo.export.xcsp3.words import (
    Array,
    flat_places,
    indices_of,
    interval_of,
    names_of_entries,
    numbers_in,
)
from rekkyo.export.xml_files import Element
from rekkyo.model.csp.csp import MAX_SPAN, MAX_VARIABLES

if TYPE_CHECKING:
    from rekkyo.export.xcsp3.reader import Writer

MAX_NAME = 200
MAX_DIMENSIONS = 8
_NAME = re.compile(r"[A-Za-z][A-Za-z0-9_]*", re.ASCII)
_SIZES = re.compile(r"(?:\s*\[\s*[0-9]{1,9}\s*\])+\s*", re.ASCII)
_KNOWN = {"var": frozenset({"id", "class", "note", "type", "as"})}
_KNOWN["array"] = _KNOWN["var"] | {"size", "startIndex"}


def declare(writer: Writer, element: Element) -> None:
    """Add a variable or an array."""
    name = element.attributes.get("id", "")
    if element.tag not in ("var", "array"):
        writer.refuse("only <var> and <array> declare variables")
    if not _NAME.fullmatch(name) or len(name) > MAX_NAME:
        writer.refuse(f'"{in_short(name)}" is not a name: a letter, then letters, digits and _')
    if name in writer.names:
        writer.refuse(f'"{in_short(name)}" is declared already')
    if element.attributes.get("type", "integer") != "integer":
        writer.refuse(f"{in_short(name)} is not a variable of whole numbers, and only these are searched")
    unknown = [key for key in element.attributes if key not in _KNOWN[element.tag]]
    if unknown or element.attributes.get("startIndex", "0").strip() != "0":
        writer.refuse(f"the attribute {in_short(unknown[0] if unknown else 'startIndex')} is not read here")
    if element.tag == "var":
        [writer.names[name]] = _variables(writer, [name], _domain(writer, writer.text_of(element), name))
    else:
        writer.names[name] = _array(writer, element, name)


def _array(writer: Writer, element: Element, name: str) -> Array:
    text = element.attributes.get("size", "")
    if not _SIZES.fullmatch(text) or text.count("[") > MAX_DIMENSIONS:
        writer.refuse(
            f'the size of {in_short(name)} is "{in_short(text)}" and must be like [3][4], with at most'
            f" {MAX_DIMENSIONS} dimensions"
        )
    sizes = tuple(int(size) for size in re.findall("[0-9]+", text))
    n_entries = prod(sizes)
    if n_entries > MAX_VARIABLES:
        writer.refuse(f"{in_short(name)} has {n_entries} entries; rekkyo takes on {MAX_VARIABLES} variables")
    source = writer.target_of(element)
    if not source.children:
        domains: list[list[int] | None] = [_domain(writer, source.text, name)] * n_entries
    else:
        domains = _several_domains(writer, source, name, sizes)
    names = names_of_entries(name, sizes)
    entries: list[Unknown | None] = []
    for _, run in groupby(zip(names, domains, strict=True), key=lambda entry: id(entry[1])):
        alike, (domain, *_) = zip(*run, strict=True)
        entries += [None] * len(alike) if domain is None else _variables(writer, alike, domain)
    return Array(sizes, entries)


def _several_domains(
    writer: Writer, source: Element, name: str, sizes: tuple[int, ...]
) -> list[list[int] | None]:
    """The domain of each entry, None where there is none."""
    domains: list[list[int] | None] = [None] * prod(sizes)
    others: list[int] | None = None
    for child in source.children:
        writer.at = child
        wanted = child.attributes.get("for", "").strip()
        if child.tag != "domain" or not wanted or set(child.attributes) - {"for", "as", "id"}:
            writer.refuse("an array has only parts such as <domain for=...>")
        domain = _domain(writer, writer.text_of(child), name)
        if wanted == "others":
            if others is not None:
                writer.refuse(f"the other entries of {in_short(name)} have two domains")
            others = domain
            continue
        for word in wanted.split():
            array, bracket, indices = word.partition("[")
            if array != source.attributes.get("id"):
                writer.refuse(f"{in_short(word)} is not an entry of {in_short(name)}")
            ranges, _ = indices_of(bracket + indices, sizes, writer)
            for place in flat_places(ranges, sizes, writer):
                if domains[place] is not None:
                    writer.refuse(f"an entry of {in_short(name)} has two domains")
                domains[place] = domain
    return [others if domain is None else domain for domain in domains]


def _domain(writer: Writer, text: str, name: str) -> list[int]:
    if "infinity" in text:
        writer.refuse(f"{in_short(name)} has no bounds; give it a domain such as 0..100")
    intervals = [interval_of(word, writer) for word in text.split()]
    writer.spend(len(intervals))
    if not intervals or not all(intervals):
        writer.refuse(f"{in_short(name)} has an empty domain")
    ends = [end for interval in intervals for end in (interval[0], interval[-1])]
    if max(ends) - min(ends) >= MAX_SPAN:
        writer.refuse(
            f"{in_short(name)} has values from {min(ends)} to {max(ends)}; rekkyo takes on domains that span"
            f" at most {MAX_SPAN} numbers"
        )
    return numbers_in(intervals, min(ends), max(ends))


def _variables(writer: Writer, names: Sequence[str], domain: list[int]) -> list[Unknown]:
    """New variables with one domain, which is checked once."""
    if len(writer.solution) + len(names) > MAX_VARIABLES:
        writer.refuse(f"more than the {MAX_VARIABLES} variables that rekkyo takes on")
    unknowns = writer.expressions.variables(names, domain)
    writer.solution += [unknown.number for unknown in unknowns]
    return unknowns
