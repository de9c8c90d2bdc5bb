"""A search: asked, prepared, cut, folded, on threads, with progress. Nothing here knows a directory or a command."""
