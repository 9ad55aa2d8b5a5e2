"""Transformations, which make runs from judgements or from other runs, or change judgements."""
