"""`rekkyo design`: a page to draw a puzzle on, which shows its solutions meanwhile."""
