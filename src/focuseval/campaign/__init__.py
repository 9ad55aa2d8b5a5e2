"""Topics and results on their collection, read from files, and the artefacts made from them."""
