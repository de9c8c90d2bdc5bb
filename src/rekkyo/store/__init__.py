"""Solutions on disk and their index: the directory of a run. docs/run-format.md describes the files."""
