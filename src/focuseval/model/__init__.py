"""Data structures: columns of integers and intervals, independent of files and measures."""
