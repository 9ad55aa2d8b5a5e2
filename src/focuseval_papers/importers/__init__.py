"""Importers, a module each: `focuseval_papers.workflow.importing` says what they are."""
