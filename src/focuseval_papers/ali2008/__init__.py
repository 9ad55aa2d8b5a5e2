"""Ali, Kazai, Consens & Lalmas (2008): Structural Relevance."""
