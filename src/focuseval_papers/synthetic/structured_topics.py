"""Topics that ask for a structure, and the assessments of the four CAS tasks of INEX 2005, for a synthetic campaign.

Two kinds, as at INEX 2005. Topics of the campaign (CO+S) get a structured title beside their plain one; their
assessments stay as they are. CAS topics are needs of the campaign that are asked with a structure: a target, and
something else that is to stand in a support element of the same article. The four CAS tasks differ in which of the two
is a condition. Of the elements that are relevant to the need, a strict target leaves those of its tag, and a strict
support those in articles where some element of the support's tag is relevant, too.
"""

from collections.abc import Iterator, Sequence
from copy import copy
from itertools import product
from pathlib import Path
from xml.sax.saxutils import escape

import numpy as np
from lxml import etree

from focuseval.campaign.tasks import CAS_TASKS, interpretation
from focuseval.errors import InputError, Problem, counted
from focuseval_papers.synthetic.concept_settings import Settings
from focuseval_papers.synthetic.concept_space import make_plan, vocabulary
from focuseval_papers.workflow.campaign_settings import StructureSettings

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
        need = etree.parse(assessments / f"{plan.names[number]}.xml").getroot()
        left = _satisfied(structure, need)
        pair = left[rng.integers(len(left))]
        # one word at least for each of the two elements
        least, most = (max(2, count) for count in chosen.title_concepts)
        named = rng.permutation(plan.concepts[number])[: rng.integers(least, most + 1)]
        title = [words.spelled[words.concepts[concept, rng.integers(2)]] for concept in named]
        name = f"{plan.names[number]}s"
        topics.append(_topic(name, "CAS", title, pair))
        for task in CAS_TASKS:
            (folder / task / f"{name}.xml").write_bytes(judged(need, name, task, pair))
    lines = ["<inex-topic-file>\n", *topics, "</inex-topic-file>\n"]
    (folder / "topics.xml").write_text("".join(lines), encoding="ascii")


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


def _satisfied(structure: StructureSettings, need: etree._Element) -> list[Pair]:
    """The pairs that leave a need enough relevant elements where both are conditions."""
    enough = [pair for pair in _pairs(structure) if sum(_relevant(need, "SSCAS", pair)) >= structure.least]
    if not enough:
        least = counted(structure.least, "relevant element")
        found = f"no target and support of topic {need.get('topic')} leave {least}"
        raise InputError(Problem("structured_topics", "least", found, "lower it, or name other tags"))
    return enough


def judged(need: etree._Element, name: str, task: str, pair: Pair) -> bytes:
    """The assessments of a topic of a CAS task: those of a need that the task's conditions leave."""
    root = etree.Element(need.tag, {**need.attrib, "pool": name, "topic": name})
    for file, elements in _left(need, task, pair):
        into = etree.SubElement(root, file.tag, dict(file.attrib))
        into.extend(copy(element) for element in elements)
    etree.indent(root)
    written: bytes = etree.tostring(root, encoding="UTF-8", xml_declaration=True)
    return written + b"\n"


def _left(
    need: etree._Element, task: str, pair: Pair
) -> Iterator[tuple[etree._Element, list[etree._Element]]]:
    """The articles of a need with those of their elements that a task's conditions leave."""
    target, support = (tag if strict else "" for tag, strict in zip(pair, interpretation(task), strict=True))
    for file in need:
        if support and not any(_tag(element) == support and _is_relevant(element) for element in file):
            continue
        elements = [element for element in file if not target or _tag(element) == target]
        if elements:
            yield file, elements


def _relevant(need: etree._Element, task: str, pair: Pair) -> Iterator[bool]:
    return (_is_relevant(element) for _, elements in _left(need, task, pair) for element in elements)


def _is_relevant(element: etree._Element) -> bool:
    """Whether an element was assessed as relevant; one that is "too small" is not."""
    return element.get("exhaustivity") in ("1", "2")


def _tag(element: etree._Element) -> str:
    """The tag of an assessed element: that of the last step of its path."""
    return (element.get("path") or "").rpartition("/")[2].partition("[")[0]


def _topic(name: str, query_type: str, words: Sequence[str], pair: Pair) -> str:
    """A topic, of whose words the first is to stand in the support element, the others in the target."""
    target, support = pair
    castitle = f"//article[about(.//{support}, {words[0]})]//{target}[about(., {' '.join(words[1:])})]"
    return (
        f'  <topic id="{name}" query_type="{query_type}">\n'
        f"    <title>{escape(' '.join(words))}</title>\n"
        f"    <castitle>{escape(castitle)}</castitle>\n"
        "    <narrative>Relevant text expresses a concept of the topic.</narrative>\n"
        "  </topic>\n"
    )
