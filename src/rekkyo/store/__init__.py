"""The directory of a run: rows on disk, and their index. docs/run-format.md describes the files."""
