"""Campaigns generated from the concept-space model."""
