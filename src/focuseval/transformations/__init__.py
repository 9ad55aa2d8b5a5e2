"""Runs made from judgements or from other runs: simulated, moved, perturbed."""
