"""A publication: its declaration, its verdicts, its tables and figures, and the jobs that make them."""
