"""Topics and results on their collection, made from files, and the artefacts that they leave."""
