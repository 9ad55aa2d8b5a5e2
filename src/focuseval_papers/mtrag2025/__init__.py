"""Katsis et al. (2025): retrieval for MTRAG by baselines that were published with their scores, and corrected."""
