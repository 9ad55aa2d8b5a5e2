"""The numbers of the program, which joins snippets and adds up characters, and each character once."""

from pathlib import Path

from focuseval_papers.publication.evaluation import publication

PAPER = publication(Path(__file__).parent)
