"""Functions that recognise the formats of a campaign's files, and choose its main measures."""

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

if TYPE_CHECKING:  # jobs that use this module must not depend on `campaign_settings`
    from focuseval_papers.workflow.campaign_settings import CampaignSettings

#: names of the formats whose runs consist of passages
PASSAGES = ("chunks", "genomics")
_PASSAGES = {"trec run with offsets", *(kind for name in PASSAGES for kind in RUNS[name].kinds)}


def on_its_scale(campaign: "CampaignSettings") -> "CampaignSettings":
    """Return the campaign with the scale of its assessments, if the scale can be recognised in the files.

    An imported campaign does not change, because plans must not depend on whether its files exist.
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


@cache  # the search of a large folder or archive takes time
def _holds_code(path: str) -> bool:
    try:
        return holds_code(path)
    except InputError:
        return False


def in_spans(campaign: "CampaignSettings", folder: Path) -> "CampaignSettings":
    """Return a campaign on source code that reads the span files of `import_code` in ``folder``."""
    files = {"collection": None, "assessments": f"{folder}/gold.jsonl", "runs": f"{folder}/runs"}
    read = {"assessment_format": "chunks", "run_format": "chunks", "scale": "highlights"}
    return campaign.model_copy(update=files | read)


def holds_passages(campaign: "CampaignSettings") -> str:
    """Return a phrase that names the campaign's runs of passages; "" if no run is known to return passages."""
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
    """Return whether assessments or runs may quote texts that can be compared with the documents."""
    if campaign.importer or not campaign.collection or campaign.unit != "characters":
        return False
    try:
        paths = map(Path, campaign.files("assessments", "runs").values())
        return any(map(may_have_texts, files_of(list(paths))))
    except InputError:
        return False


def number_of_runs(campaign: "CampaignSettings") -> int | None:
    """Return the largest number of runs of the campaign, a task or a view, plus the baselines; None if unknown.

    A file counts as one run.
    """
    own = [runs for runs in (campaign.runs, *(part.runs for part in campaign.parts.values())) if runs]
    if campaign.importer or (not campaign.submitted and (campaign.baseline or not own)):
        return None
    try:
        most = max(len(files_of(path)) for path in own)
    except InputError:
        return None
    return most + (campaign.baselines.systems if campaign.adds_baselines and campaign.baselines else 0)


#: the last main measure of most campaigns, which needs only judgements of documents
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
    """Return the main measures of INEX 2005; ``overlap`` is ``on`` for tasks that forbid overlapping results."""
    return (
        f"MAep(overlap={overlap})",
        f"nxCG(overlap={overlap})@10",
        f"nxCG(overlap={overlap})@25",
        f"MAep(overlap={overlap},quantisation=strict)",
        _DOCUMENTS,
    )


def main_measures(campaign: "CampaignSettings") -> tuple[str, ...]:
    """Return the main measures of a campaign's own runs; systems are compared under the first one.

    If the campaign names no measures, the main measures depend on its task and on the scale of its assessments. A
    generated or imported campaign that names no measures has no main measures.
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
