"""Which of two runs is better, and whether one is worse than its baseline."""
