"""Solutions as SVG: `drawing` is the entry point, `painting` describes the parts of a drawing."""
