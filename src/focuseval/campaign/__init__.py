"""From files to topics and results on their collection, and the artefacts they leave."""
