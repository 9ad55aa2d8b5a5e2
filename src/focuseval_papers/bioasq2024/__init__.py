"""BioASQ 12b (2024): snippets for biomedical questions as the program of BioASQ scores them, and corrected."""
