"""The numbers of the program, which compares names, and each name once in its file."""

from pathlib import Path

from focuseval_papers.publication.evaluation import publication

PAPER = publication(Path(__file__).parent)
