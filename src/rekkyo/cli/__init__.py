"""The command line: it turns arguments into calls and results into text, and has no other logic."""
