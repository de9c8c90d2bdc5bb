"""Solutions as SVG: `drawing` is the way in, `painting` says what a drawing is made of."""
