"""What the servers of the gallery and of the design page have in common."""
