"""Campaigns: topics and results of runs on a collection, read from files or saved to them."""
