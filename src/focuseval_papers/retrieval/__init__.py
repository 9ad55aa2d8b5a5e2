"""Retrieval systems that rank nested elements of documents."""
