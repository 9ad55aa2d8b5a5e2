"""Chunks of documents: their offsets, the best results that they allow, and conversion from frameworks."""
