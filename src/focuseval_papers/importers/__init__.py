"""Importers, a module each: `focuseval_papers.workflow.sources` says what they are."""
