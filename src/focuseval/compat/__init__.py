"""What other programs print, and their files."""
