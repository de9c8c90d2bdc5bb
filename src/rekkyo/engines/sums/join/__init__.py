"""Sum figures counted by joining two halves."""
