"""Graphs, and puzzles about them: colourings, sets of vertices, sets of edges."""
