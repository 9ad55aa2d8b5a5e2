"""File formats: one module each, readers and writers. They know no measures."""
