"""The data structures: columns of integers and intervals. They know nothing of files or measures."""
