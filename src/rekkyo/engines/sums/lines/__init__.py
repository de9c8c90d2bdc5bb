"""Sum figures cell by cell in a fixed order, numbers as bits of one word."""
