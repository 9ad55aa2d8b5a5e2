"""Campaigns drawn from the concept-space model."""
