"""Collections, gold and runs as columns, without knowledge of files or measures."""
