"""Writers of a synthetic campaign in INEX's formats: documents, topics, assessments, and topics with structured titles.

Structured topics are of two kinds, as at INEX 2005. A CO+S topic adds a structured title to a topic of the campaign. A
CAS topic asks for elements with the tag of the target, in articles with a support element. The target and the support
are conditions or hints, depending on the CAS task. If the target is a condition, only elements with its tag are
assessed. If the support is a condition, only articles with a relevant support element are assessed.
"""

import zipfile
from collections.abc import Sequence
from functools import partial
from itertools import product
from pathlib import Path

import numpy as np
import pandas as pd
from lxml import etree

from focuseval.campaign.tasks import CAS_TASKS
from focuseval.errors import InputError, Problem, counted
from focuseval.files import replacing_several
from focuseval.model.parallel import in_processes
from focuseval_papers.synthetic.concept_settings import ConceptSettings
from focuseval_papers.synthetic.concept_space import (
    article_names,
    assess,
    blocks,
    highlight,
    make_block,
    make_plan,
    vocabulary,
)
from focuseval_papers.workflow.campaign_settings import StructureSettings
from focuseval_papers.workflow.inex_files import (
    Form,
    assessments_file,
    in_form_of_2005,
    qrels_line,
    topics_file,
)
from focuseval_papers.workflow.runsets import interpretation

#: time stamp of all members of the archive, so that the same settings give the same bytes
_NO_TIME = (1980, 1, 1, 0, 0, 0)

_DECLARATION = '<?xml version="1.0" encoding="UTF-8"?>\n'

NARRATIVE = "Relevant text expresses a concept of the topic."

_FILE = 'file file="{}"'

#: the format of the assessments in each folder
_FORMS = {
    "assessments-2002": Form(
        _FILE, 'path path="{}" relevance="{}" coverage="{}"', ("path", "exhaustivity", "coverage")
    ),
    "assessments": Form(
        _FILE, 'path path="{}" exhaustiveness="{}" specificity="{}"', ("path", "exhaustivity", "specificity")
    ),
}


def write_campaign(chosen: ConceptSettings, folder: Path, *, processes: int = 1) -> None:
    """Write a synthetic campaign into a folder: ``collection.zip``, ``topics.xml`` and assessments in four formats.

    The same settings give the same bytes, whatever the number of processes. Files of an earlier campaign are replaced.
    """
    with replacing_several(folder) as new:
        assessments, highlighted = _write_collection(chosen, new / "collection.zip", processes)
        plan = make_plan(chosen)
        topics = (
            (
                {"id": name, "ct_no": str(number)},
                {"title": title, "description": description, "narrative": NARRATIVE},
            )
            for number, (name, title, description) in enumerate(
                zip(plan.names, plan.titles, plan.descriptions, strict=True), start=1
            )
        )
        (new / "topics.xml").write_text(_DECLARATION + topics_file(topics), encoding="ascii")
        relevant = assessments[assessments["exhaustivity"] > 0]
        relevant = relevant.assign(exhaustivity=relevant["exhaustivity_2005"])
        for name, form in _FORMS.items():
            _write_assessments(plan.names, assessments, new / name, form)
        _write_assessments(plan.names, relevant, new / "assessments-2005", in_form_of_2005("concept-space"))
        lines = [qrels_line(plan.names[topic], *rest) for topic, *rest in highlighted.itertuples(index=False)]
        (new / "highlights.qrels").write_text("".join(lines), encoding="ascii")


def _write_assessments(names: list[str], assessments: pd.DataFrame, folder: Path, form: Form) -> None:
    folder.mkdir()
    for topic, judged in assessments.groupby("topic", sort=True):
        text = _DECLARATION + assessments_file(names[int(topic)], judged, form)
        (folder / f"{names[int(topic)]}.xml").write_text(text, encoding="ascii")


def _documents_and_assessments(
    chosen: ConceptSettings, number: int
) -> tuple[list[bytes], pd.DataFrame, pd.DataFrame]:
    """Generate a block of articles; return its documents, assessments and highlighted passages."""
    block = make_block(chosen, number)
    return block.text.xml, assess(chosen, number, block), highlight(chosen, block)


def _write_collection(
    chosen: ConceptSettings, path: Path, processes: int
) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Write the archive of documents; return the assessments and the highlighted passages, sorted by topic."""
    names = iter(article_names(chosen.articles))
    tables: tuple[list[pd.DataFrame], list[pd.DataFrame]] = ([], [])
    # without compression, the bytes do not depend on the compression library
    with zipfile.ZipFile(path, "w", compression=zipfile.ZIP_STORED) as archive:
        work = partial(_documents_and_assessments, chosen)
        for documents, *of_block in in_processes(work, blocks(chosen), processes):
            for document in documents:
                member = zipfile.ZipInfo(f"{next(names)}.xml", date_time=_NO_TIME)
                member.create_system = 3
                member.external_attr = 0o644 << 16
                archive.writestr(member, document)
            for table, part in zip(tables, of_block, strict=True):
                table.append(part)
    first, second = (
        pd.concat(parts, ignore_index=True).sort_values("topic", kind="stable", ignore_index=True)
        for parts in tables
    )
    return first, second


_TOPIC_DECLARATION = "<?xml version='1.0' encoding='UTF-8'?>\n"

#: the tag of a target element and the tag of a support element
Pair = tuple[str, str]


def write_structured(
    chosen: ConceptSettings, structure: StructureSettings, assessments: Path, folder: Path
) -> None:
    """Write the structured topics into ``topics.xml``, and a folder of assessments for each CAS task.

    ``assessments`` contains the campaign's assessments on INEX 2005's scale. Raises InputError for settings that the
    campaign cannot meet.
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
        assessed = _read_assessed(assessments / f"{plan.names[number]}.xml")
        usable = _usable_pairs(structure, assessed, plan.names[number])
        pair = usable[rng.integers(len(usable))]
        # a title needs two words, one for the target and one for the support
        least, most = (max(2, count) for count in chosen.title_concepts)
        in_title = rng.permutation(plan.concepts[number])[: rng.integers(least, most + 1)]
        title = [words.spelled[words.concepts[concept, rng.integers(2)]] for concept in in_title]
        name = f"{plan.names[number]}s"
        topics.append(_topic(name, "CAS", title, pair))
        for task in CAS_TASKS:
            judged = _restricted(assessed, task, pair)
            text = assessments_file(name, judged, in_form_of_2005("concept-space"))
            (folder / task / f"{name}.xml").write_text(_TOPIC_DECLARATION + text, encoding="ascii")
    (folder / "topics.xml").write_text(topics_file(topics), encoding="ascii")


def _check(structure: StructureSettings, castitles: Sequence[str], names: Sequence[str]) -> None:
    expected = f"expected one of {names[0]} to {names[-1]}"
    problems = [
        Problem("structured_topics", "castitles", f"the topic {name!r} is unknown", expected)
        for name in castitles
        if name not in names
    ]
    if structure.topics > len(names):
        found = f"the number of CAS topics is {structure.topics}"
        problems.append(Problem("structured_topics", "topics", found, f"expected {len(names)} or fewer"))
    if not _pairs(structure):
        found = f"the only tag, {structure.targets[0]!r}, is also the only tag of `targets`"
        problems.append(Problem("structured_topics", "supports", found, "expected another tag"))
    if problems:
        raise InputError(problems)


def _pairs(structure: StructureSettings) -> list[Pair]:
    """Return all pairs of a target tag and a different support tag."""
    return [pair for pair in product(structure.targets, structure.supports) if pair[0] != pair[1]]


def _read_assessed(path: Path) -> pd.DataFrame:
    """Read the assessed elements of a topic.

    The columns are document, path, exhaustivity, size, rsize, tag and relevant. Elements that are "too small" do not
    count as relevant here.
    """
    rows = [
        {"document": file.get("name"), **one.attrib} for file in etree.parse(path).getroot() for one in file
    ]
    elements = pd.DataFrame(rows)
    tag = elements["path"].str.extract(r"([^/]+)\[\d+\]$", expand=False)
    return elements.assign(tag=tag, relevant=elements["exhaustivity"].isin(["1", "2"]))


def _restricted(assessed: pd.DataFrame, task: str, pair: Pair) -> pd.DataFrame:
    """Return the assessed elements that satisfy a CAS task's conditions on their tag and on tags in their document."""
    (target, support), (strict_target, strict_support) = pair, interpretation(task)
    if strict_support:
        supported = assessed.loc[assessed["relevant"] & (assessed["tag"] == support), "document"]
        assessed = assessed[assessed["document"].isin(supported)]
    return assessed[assessed["tag"] == target] if strict_target else assessed


def _usable_pairs(structure: StructureSettings, assessed: pd.DataFrame, topic: str) -> list[Pair]:
    """Return the pairs of target and support with enough relevant elements in every CAS task.

    Raises InputError if there is no such pair.
    """
    relevant = {pair: _restricted(assessed, "SSCAS", pair)["relevant"].sum() for pair in _pairs(structure)}
    usable = [pair for pair, number in relevant.items() if number >= structure.least]
    if not usable:
        least = counted(structure.least, "relevant element")
        found = f"no target and support of topic {topic} leave {least}"
        expected = "set a lower number, or name other tags"
        raise InputError.of("structured_topics", found, expected, where="least")
    return usable


def _topic(
    name: str, query_type: str, words: Sequence[str], pair: Pair
) -> tuple[dict[str, str], dict[str, str]]:
    """Return the attributes and the parts of a structured topic.

    The first word of ``words`` describes the support, and the other words describe the target.
    """
    target, support = pair
    castitle = f"//article[about(.//{support}, {words[0]})]//{target}[about(., {' '.join(words[1:])})]"
    parts = {"title": " ".join(words), "castitle": castitle, "narrative": NARRATIVE}
    return {"id": name, "query_type": query_type}, parts
