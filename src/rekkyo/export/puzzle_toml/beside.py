"""Files that a puzzle file names: read from its folder, and inserted into a self-contained copy."""

from __future__ import annotations

import json
import re
from pathlib import Path as FilePath
from typing import Final

from rekkyo.errors import BadInput, printable
from rekkyo.export.bounded import decoded
from rekkyo.export.puzzle_toml.document import Document, Table
from rekkyo.export.puzzle_toml.positions import value_end
from rekkyo.safe_files import open_file

FILE: Final = "file"
MAX_BYTES = 10 * 1024 * 1024
_KEY = re.compile(r"""(?:file|'file'|"(?:[^"\\]|\\.)*")[ \t]*=[ \t]*""")
"""The key at a place of the key `file`, which may have escapes."""


def text_beside(table: Table) -> str:
    """The text of the file that a table names, a plain file beside the puzzle file. Raises BadFile."""
    name, folder = table.text(FILE), table.document.folder
    if folder is None:
        table.refuse(FILE, "a puzzle that is not a file has no files beside it; write the content here")
    if name in ("", ".", "..") or not name.isprintable() or any(mark in name for mark in "/\\:"):
        known = 'is the name of a file in the same folder, without "/", "\\" or ":"'
        table.refuse_value(FILE, f'"{FILE}" {known}')
    try:
        return _text_of(folder / name)
    except OSError as problem:
        table.refuse_value(FILE, f"{printable(name)} cannot be read: {problem.strerror}")
    except BadInput as problem:
        table.refuse_value(FILE, str(problem))


def _text_of(path: FilePath) -> str:
    with open_file(path) as file:
        content = file.read(MAX_BYTES + 1)
    if len(content) > MAX_BYTES:
        raise BadInput(f"{printable(path.name)} has more than the {MAX_BYTES} bytes that are read")
    return decoded(content, path.name)


def note_content(table: Table, key: str, content: str) -> None:
    """Store the key and text that replace the file name in a table."""
    table.document.beside[*table.path, FILE] = (key, content)


def standing_alone(text: str, document: Document) -> str | None:
    """The text of a puzzle file with the contents of files instead of their names; None if one is missing."""
    line_starts = [0, *(end.end() for end in re.finditer("\n", text))]
    places = {document.place_of(path): entry for path, entry in document.beside.items()}
    for place in sorted(places, reverse=True):  # what is before a place stays where it is
        start = line_starts[place.line - 1] + place.column - 1
        found = _KEY.match(text, start)
        if found is None:
            return None
        key, content = places[place]
        # TOML has the escapes of JSON, and needs one more, for the character that deletes.
        quoted = json.dumps(content, ensure_ascii=False).replace("\x7f", "\\u007f")
        text = f"{text[:start]}{key} = {quoted}{text[value_end(text, found.end()) :]}"
    return text
