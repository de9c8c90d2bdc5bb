"""The gallery: a local page for millions of solutions, and the same page as files for any web host."""
