"""The command line: arguments to calls, results to text. No logic of its own."""
