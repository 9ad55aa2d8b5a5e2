"""Retrieval systems that rank nested elements of documents, and produce runs for campaigns without runs."""
