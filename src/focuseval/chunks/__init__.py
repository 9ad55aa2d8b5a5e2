"""Chunks of documents: their places in the text, their limits, and objects of frameworks."""
