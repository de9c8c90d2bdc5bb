"""`rekkyo design`: a page on which a puzzle is drawn, and answers to it while it is drawn."""
