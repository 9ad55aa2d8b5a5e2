"""File formats: one module for each, with readers and writers. They are independent of measures."""
