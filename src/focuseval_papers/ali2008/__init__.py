"""Ali, Kazai, Consens & Lalmas (2008): Structural Relevance, worked examples, and the accuracy and fidelity of SRP."""
