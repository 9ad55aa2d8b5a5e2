"""What the library computes with: columns of integers and intervals. Knows nothing of files or measures."""
