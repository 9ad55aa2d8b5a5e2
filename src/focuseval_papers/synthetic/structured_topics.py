"""Topics that ask for a structure, and the assessments of the four CAS tasks of INEX 2005, for a synthetic campaign.

Two kinds, as at INEX 2005. Topics of the campaign (CO+S) get a structured title beside their plain one; their
assessments stay as they are. CAS topics are needs of the campaign that are asked with a structure: a target, and
something else that is to stand in a support element of the same article. The four CAS tasks differ in which of the two
is a condition. Of the elements that are relevant to the need, a strict target leaves those of its tag, and a strict
support those in articles where some element of the support's tag is relevant, too.
"""

from collections.abc import Sequence
from itertools import product
from pathlib import Path

import numpy as np
import pandas as pd
from lxml import etree

from focuseval.campaign.tasks import CAS_TASKS
from focuseval.errors import InputError, Problem, counted
from focuseval_papers.synthetic.campaign_files import NARRATIVE
from focuseval_papers.synthetic.concept_settings import Settings
from focuseval_papers.synthetic.concept_space import make_plan, vocabulary
from focuseval_papers.workflow.configuration import StructureSettings
from focuseval_papers.workflow.inex_files import assessments_file, in_form_of_2005, topics_file
from focuseval_papers.workflow.runsets import interpretation

_DECLARATION = "<?xml version='1.0' encoding='UTF-8'?>\n"

#: a target and a support element, by their tags
Pair = tuple[str, str]


def write_structured(chosen: Settings, structure: StructureSettings, assessments: Path, folder: Path) -> None:
    """Write ``topics.xml`` and, for each CAS task, a folder of assessments into a folder.

    ``assessments`` is the folder of the campaign's assessments on INEX 2005's scales. Raises InputError for unknown
    topics, for more CAS topics than the campaign has topics, and for a topic of which no pair of tags leaves enough
    relevant elements.
    """
    plan = make_plan(chosen)
    castitles = structure.castitles or plan.names
    _check(structure, castitles, plan.names)
    rng = np.random.Generator(np.random.PCG64([chosen.seed, structure.seed]))
    pairs, topics = _pairs(structure), []
    for name in castitles:
        title = plan.titles[plan.names.index(name)].split()
        topics.append(_topic(name, "CO+S", title, pairs[rng.integers(len(pairs))]))
    for task in CAS_TASKS:
        (folder / task).mkdir(parents=True, exist_ok=True)
    words = vocabulary(chosen)
    for number in sorted(rng.permutation(len(plan.names))[: structure.topics].tolist()):
        need = _need(assessments / f"{plan.names[number]}.xml")
        left = _satisfied(structure, need, plan.names[number])
        pair = left[rng.integers(len(left))]
        # one word at least for each of the two elements
        least, most = (max(2, count) for count in chosen.title_concepts)
        named = rng.permutation(plan.concepts[number])[: rng.integers(least, most + 1)]
        title = [words.spelled[words.concepts[concept, rng.integers(2)]] for concept in named]
        name = f"{plan.names[number]}s"
        topics.append(_topic(name, "CAS", title, pair))
        for task in CAS_TASKS:
            text = assessments_file(name, _left(need, task, pair), in_form_of_2005("concept-space"))
            (folder / task / f"{name}.xml").write_text(_DECLARATION + text, encoding="ascii")
    (folder / "topics.xml").write_text(topics_file(topics), encoding="ascii")


def _check(structure: StructureSettings, castitles: Sequence[str], names: Sequence[str]) -> None:
    known = f"expected one of {names[0]} to {names[-1]}"
    problems = [
        Problem("structured_topics", "castitles", f"no topic {name}", known)
        for name in castitles
        if name not in names
    ]
    if structure.topics > len(names):
        found = f"{structure.topics} CAS topics"
        problems.append(Problem("structured_topics", "topics", found, f"expected {len(names)} or fewer"))
    if not _pairs(structure):
        found = f"only {structure.targets[0]} for both"
        problems.append(Problem("structured_topics", "supports", found, "expected a tag that is no target"))
    if problems:
        raise InputError(problems)


def _pairs(structure: StructureSettings) -> list[Pair]:
    """The targets with the supports: two tags, as an element of the target would be its own support."""
    return [pair for pair in product(structure.targets, structure.supports) if pair[0] != pair[1]]


def _need(path: Path) -> pd.DataFrame:
    """The assessed elements of a topic: document, path, exhaustivity, size, rsize, tag and whether it is relevant.

    One that is "too small" is not relevant.
    """
    rows = [
        {"document": file.get("name"), **one.attrib} for file in etree.parse(path).getroot() for one in file
    ]
    need = pd.DataFrame(rows)
    tag = need["path"].str.extract(r"([^/]+)\[\d+\]$", expand=False)
    return need.assign(tag=tag, relevant=need["exhaustivity"].isin(["1", "2"]))


def _left(need: pd.DataFrame, task: str, pair: Pair) -> pd.DataFrame:
    """The elements of a need that a task's conditions leave."""
    (target, support), (strict_target, strict_support) = pair, interpretation(task)
    if strict_support:
        supported = need.loc[need["relevant"] & (need["tag"] == support), "document"]
        need = need[need["document"].isin(supported)]
    return need[need["tag"] == target] if strict_target else need


def _satisfied(structure: StructureSettings, need: pd.DataFrame, topic: str) -> list[Pair]:
    """The pairs that leave a need enough relevant elements where both are conditions."""
    enough = [
        pair for pair in _pairs(structure) if _left(need, "SSCAS", pair)["relevant"].sum() >= structure.least
    ]
    if not enough:
        least = counted(structure.least, "relevant element")
        found = f"no target and support of topic {topic} leave {least}"
        raise InputError(Problem("structured_topics", "least", found, "lower it, or name other tags"))
    return enough


def _topic(
    name: str, query_type: str, words: Sequence[str], pair: Pair
) -> tuple[dict[str, str], dict[str, str]]:
    """A topic, of whose words the first is to stand in the support element, the others in the target."""
    target, support = pair
    castitle = f"//article[about(.//{support}, {words[0]})]//{target}[about(., {' '.join(words[1:])})]"
    parts = {"title": " ".join(words), "castitle": castitle, "narrative": NARRATIVE}
    return {"id": name, "query_type": query_type}, parts
