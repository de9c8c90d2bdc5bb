"""Random models asked in random ways, against brute force. `python -m tests.fuzz` goes on for some minutes."""
