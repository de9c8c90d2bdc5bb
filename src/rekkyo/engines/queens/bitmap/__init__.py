"""Queens row by row with bit masks: lists solutions in lexicographic order."""
