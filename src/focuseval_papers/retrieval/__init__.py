"""Retrieval systems that rank nested elements of documents, and make the baseline runs of campaigns."""
