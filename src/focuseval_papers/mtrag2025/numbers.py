"""The numbers of trec_eval on whole chunks, and each character once."""

from pathlib import Path

from focuseval_papers.publication.evaluation import publication

PAPER = publication(Path(__file__).parent)
