"""Importers, one module for each data set; `focuseval_papers.workflow.sources` describes their functions."""
