"""FlatZinc, the form into which MiniZinc flattens a model: read, and solutions written."""
