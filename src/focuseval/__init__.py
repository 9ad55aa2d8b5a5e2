"""Exact, fast evaluation of focused retrieval: nested and overlapping parts of documents."""

from focuseval.api import Campaign, compare, read_campaign, score, score_campaign
from focuseval.errors import InputError, InputWarning, Problem
from focuseval.located import locate
from focuseval.measures import MEASURES

__all__ = [
    "MEASURES",
    "Campaign",
    "InputError",
    "InputWarning",
    "Problem",
    "compare",
    "locate",
    "read_campaign",
    "score",
    "score_campaign",
]
