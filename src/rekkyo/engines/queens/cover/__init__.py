"""Queens as an exact cover: a second way to every queens model, for recounts."""
