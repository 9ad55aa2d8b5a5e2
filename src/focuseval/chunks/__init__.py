"""Chunks of documents: where they are in the text, what they allow, and how frameworks name them."""
