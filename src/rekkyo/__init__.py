"""rekkyo (列挙): every solution of a combinatorial puzzle."""

__version__ = "0.1.0"
