"""Collections, gold and runs as columns. These modules know nothing of files or measures."""
