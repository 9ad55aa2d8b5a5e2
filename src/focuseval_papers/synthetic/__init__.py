"""Campaigns generated from the concept-space model of Gövert et al. (2006)."""
