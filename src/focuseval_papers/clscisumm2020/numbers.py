"""The numbers of the program, and each citance for itself."""

from pathlib import Path

from focuseval_papers.publication.evaluation import publication

PAPER = publication(Path(__file__).parent)
