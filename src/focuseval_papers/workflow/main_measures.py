"""Which measures a campaign's own systems are shown under, unless it says so itself."""

from focuseval.model.vocabulary import BEST_IN_CONTEXT, FOCUSED, RELEVANT_IN_CONTEXT
from focuseval_papers.workflow.campaign_settings import CampaignSettings

#: last of each list: it needs no more than which documents hold something relevant
_DOCUMENTS = "MAP"

_GRADES = ("AP", "nDCG@10", "P@10", "RR")
_TEXT = ("AiP", "iP@0.01", "char_precision", "char_recall", _DOCUMENTS)
_OF_TEXT = {
    RELEVANT_IN_CONTEXT: ("MAgP", "gP@10", "gR@10", _DOCUMENTS),
    BEST_IN_CONTEXT: ("BEP", _DOCUMENTS),
}
_INEX_2003 = (
    "inex2003(variant=o,quantisation=generalised)",
    "inex2003(variant=s,quantisation=generalised)",
    "precall(quantisation=generalised)",
    "precall(quantisation=strict)",
    _DOCUMENTS,
)


def _inex2005(overlap: str) -> tuple[str, ...]:
    """Overlap is considered (``on``) where runs return no text twice, as the tasks of INEX 2005 have it."""
    return (
        f"MAep(overlap={overlap})",
        f"nxCG(overlap={overlap})@10",
        f"nxCG(overlap={overlap})@25",
        f"MAep(overlap={overlap},quantisation=strict)",
        _DOCUMENTS,
    )


def main_measures(campaign: CampaignSettings) -> tuple[str, ...]:
    """The main measures of a campaign's own runs, the first of which decides which of them differ.

    Those that it names (``measures``); else, where its files are a user's own (neither made here from a model nor by
    an importer) and it has runs of its own, those that its task and the scale of its assessments have. What its files
    do not allow is left out when they are scored.
    """
    if campaign.measures is not None:
        return tuple(campaign.measures)
    if campaign.synthetic or campaign.importer or not (campaign.submitted or campaign.baseline):
        return ()
    match campaign.scale:
        case "grades":
            return _GRADES
        case "highlights":
            return _OF_TEXT.get(campaign.task, _TEXT)
        case "inex2005":
            return _inex2005("on" if campaign.task == FOCUSED else "off")
        case "inex2002" | "inex2003":
            return _INEX_2003
        case _:
            return ()
