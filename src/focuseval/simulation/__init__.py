"""Simulated campaigns, systems and runs."""
