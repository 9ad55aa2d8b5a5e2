"""Write a synthetic campaign as files: documents, topics and assessments, in INEX's formats.

Everything is made next to its place and moved there when it is complete. Documents are stored in the
archive without compression, so that its bytes do not depend on the compression library.
"""

import zipfile
from functools import partial
from pathlib import Path

import pandas as pd

from focuseval.files import replacing_several
from focuseval.model.parallel import in_processes
from focuseval_papers.synthetic.assessing import assess, highlight
from focuseval_papers.synthetic.concept_settings import Settings
from focuseval_papers.synthetic.concept_space import article_names, blocks, make_block, make_plan
from focuseval_papers.workflow.inex_files import (
    Form,
    assessments_file,
    in_form_of_2005,
    qrels_line,
    topics_file,
)

#: time of every member of the archive
_NO_TIME = (1980, 1, 1, 0, 0, 0)

_DECLARATION = '<?xml version="1.0" encoding="UTF-8"?>\n'

NARRATIVE = "Relevant text expresses a concept of the topic."

#: what is written of assessed elements, by the names of folders
_FILE = 'file file="{}"'
_FORMS = {
    "assessments-2002": Form(
        _FILE, 'path path="{}" relevance="{}" coverage="{}"', ("path", "exhaustivity", "coverage")
    ),
    "assessments": Form(
        _FILE, 'path path="{}" exhaustiveness="{}" specificity="{}"', ("path", "exhaustivity", "specificity")
    ),
}


def write_campaign(chosen: Settings, folder: Path, *, processes: int = 1) -> None:
    """Write ``collection.zip``, ``topics.xml`` and assessments in four forms.

    Assessments are ``assessments/`` (INEX 2003), ``assessments-2002/``, ``assessments-2005/`` and
    ``highlights.qrels`` (FOL).

    The files are the same to the byte for the same settings, whatever the number of processes.
    Files of an earlier campaign in the folder are replaced; other files are left alone.
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
    chosen: Settings, number: int
) -> tuple[list[bytes], pd.DataFrame, pd.DataFrame]:
    """XML of the documents of a block, its assessments, and its highlighted passages."""
    block = make_block(chosen, number)
    return block.text.xml, assess(chosen, number, block), highlight(chosen, block)


def _write_collection(chosen: Settings, path: Path, processes: int) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Write the documents; the assessments of all topics and their passages."""
    names = iter(article_names(chosen.articles))
    tables: tuple[list[pd.DataFrame], list[pd.DataFrame]] = ([], [])
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
