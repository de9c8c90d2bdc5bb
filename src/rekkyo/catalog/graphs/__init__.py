"""Graphs, and the puzzles that are asked about them: colourings, sets of vertices, sets of edges."""
