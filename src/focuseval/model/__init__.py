"""Collections, gold and runs as columns. These modules use neither files nor measures."""
