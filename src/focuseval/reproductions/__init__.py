"""Numbers that a paper prints, recomputed with the library."""
