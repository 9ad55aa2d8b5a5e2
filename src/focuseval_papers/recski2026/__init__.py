"""Recski, Tóth, Verdha, Boros & Kovács (arXiv 2605.21102, 2026): ACL-Verbatim."""
