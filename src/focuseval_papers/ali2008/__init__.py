"""Ali, Kazai, Consens & Lalmas (2008): Structural Relevance, its worked examples, and the tests of SRP."""
