"""Functions that locate, convert and split chunks, and that compute the best results that chunks allow."""
