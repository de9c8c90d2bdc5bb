"""A search: asked, prepared, cut, folded, on threads, with progress; no directory, no command."""
