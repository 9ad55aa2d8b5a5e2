"""Exact, fast evaluation of focused retrieval: nested and overlapping parts of documents."""
