"""Smith & Troynikov (2024): Evaluating Chunking Strategies for Retrieval."""
