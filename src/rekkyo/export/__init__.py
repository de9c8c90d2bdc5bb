"""Solutions as text for other programs, and back."""
