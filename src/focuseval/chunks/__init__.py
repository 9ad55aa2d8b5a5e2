"""Tools for chunks: locating them, converting them from frameworks, and computing the best results they allow."""
