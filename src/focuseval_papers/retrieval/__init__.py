"""Retrieval systems over nested elements."""
