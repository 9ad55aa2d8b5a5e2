"""How much of its text each run repeats, at every size of its result sets."""
