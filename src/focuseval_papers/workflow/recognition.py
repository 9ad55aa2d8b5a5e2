"""The kinds of a campaign's files, and its main measures, if its settings leave them out: before anything is read."""

from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from focuseval.campaign.collection_read import may_have_texts
from focuseval.errors import InputError, listed
from focuseval.formats.detect import RUNS, recognise
from focuseval.formats.documents import holds_code
from focuseval.formats.parsed import files_of
from focuseval.formats.readers import scale_of
from focuseval.model.vocabulary import BEST_IN_CONTEXT, FOCUSED, RELEVANT_IN_CONTEXT

if TYPE_CHECKING:  # a configuration is read with these
    from focuseval_papers.workflow.campaign_settings import CampaignSettings

#: formats of runs whose results are passages, and what else is recognised as such
PASSAGES = ("chunks", "genomics")
_PASSAGES = {"trec run with offsets", *(kind for name in PASSAGES for kind in RUNS[name].kinds)}


def on_its_scale(campaign: "CampaignSettings") -> "CampaignSettings":
    """The campaign with the scale of its assessments, as `focuseval.formats.readers` recognises it.

    Left as it is where the scale is given, where an importer makes the files (what is planned must not depend on
    whether they are made already), and where they cannot be recognised: whoever reads them says what is wrong.
    """
    if campaign.scale or campaign.importer or not campaign.assessments:
        return campaign
    try:
        scale = scale_of(campaign.assessments, campaign.assessment_format)
    except InputError:
        return campaign
    return campaign.model_copy(update={"scale": scale})


def of_code(campaign: "CampaignSettings") -> bool:
    """Return whether the documents of a campaign are source code."""
    return not campaign.importer and campaign.collection is not None and _holds_code(campaign.collection)


@cache  # a large folder or archive is looked through
def _holds_code(path: str) -> bool:
    try:
        return holds_code(path)
    except InputError:
        return False


def in_spans(campaign: "CampaignSettings", folder: Path) -> "CampaignSettings":
    """A campaign of source code as the step ``placed`` leaves it: spans of gold and runs, in files in a folder."""
    files = {"collection": None, "assessments": f"{folder}/gold.jsonl", "runs": f"{folder}/runs"}
    read = {"assessment_format": "chunks", "run_format": "chunks", "scale": "highlights"}
    return campaign.model_copy(update=files | read)


def holds_passages(campaign: "CampaignSettings") -> str:
    """Return the campaign's own runs that return passages and not elements, in words; ``""`` if none is known to."""
    if campaign.run_format is not None:
        return "its runs" if campaign.run_format in PASSAGES else ""
    if campaign.importer or not campaign.runs:
        return ""
    try:
        files = files_of(campaign.runs)
        with_passages = [file.name for file in files if recognise(file) in _PASSAGES]
    except InputError:
        return ""
    if not with_passages or len(with_passages) == len(files):
        return "its runs" if with_passages else ""
    return f"its run{'s' if len(with_passages) > 1 else ''} {listed(with_passages, 3)}"


def has_texts(campaign: "CampaignSettings") -> bool:
    """Return whether a user's files quote the text at their offsets, and the documents are there to compare it with."""
    if campaign.importer or not campaign.collection or campaign.unit != "characters":
        return False
    try:
        paths = map(Path, campaign.files("assessments", "runs").values())
        return any(map(may_have_texts, files_of(list(paths))))
    except InputError:
        return False


def number_of_runs(campaign: "CampaignSettings") -> int | None:
    """Count the submitted runs, at most for one task, with the baselines; one file is one run.

    None where that cannot be told before anything is read, and where retrieval makes all of them.
    """
    own = [runs for runs in (campaign.runs, *(part.runs for part in campaign.parts.values())) if runs]
    if campaign.importer or (not campaign.submitted and (campaign.baseline or not own)):
        return None
    try:
        most = max(len(files_of(path)) for path in own)
    except InputError:
        return None
    return most + (campaign.baselines.systems if campaign.beside and campaign.baselines else 0)


#: the last measure of each list: it needs to know only which documents hold something relevant
_DOCUMENTS = "MAP"

_GRADES = ("AP", "nDCG@10", "P@10", "RR")
_TEXT = ("AiP", "IoU", "char_precision", "char_recall", "iP@0.01", _DOCUMENTS)
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


def main_measures(campaign: "CampaignSettings") -> tuple[str, ...]:
    """Return the main measures of a campaign's own runs; the first one is tested.

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
