"""Code that the servers of the gallery and of the design page share."""
