"""Ali, Kazai, Consens & Lalmas (2008): the worked examples, and the studies of accuracy and fidelity."""
