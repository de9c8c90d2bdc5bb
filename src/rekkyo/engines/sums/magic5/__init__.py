"""Magic squares of order 5: which five-sets can be rows, columns and diagonals together."""
