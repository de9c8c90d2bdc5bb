"""The gallery: a local page to look at millions of solutions, and the same as files for any web host."""
