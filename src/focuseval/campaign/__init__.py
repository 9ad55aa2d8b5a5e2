"""Topics and results on a collection: how they are made from files, and the artefacts that they become."""
