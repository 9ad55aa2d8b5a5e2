"""File formats: one module for each, with readers and writers. Formats are independent of measures."""
