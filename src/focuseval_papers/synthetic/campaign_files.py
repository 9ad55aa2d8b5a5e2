"""Write a synthetic campaign as files: documents, topics and assessments, in INEX's formats.

Everything is made next to its place and moved there when it is complete. Documents are stored in the
archive without compression, so that its bytes do not depend on the compression library.
"""

import zipfile
from collections.abc import Callable, Iterator
from functools import partial
from itertools import groupby
from operator import itemgetter
from pathlib import Path
from xml.sax.saxutils import escape

import pandas as pd

from focuseval.files import replacing_several
from focuseval.model.parallel import in_processes
from focuseval_papers.synthetic.assessing import assess, assess_2005, highlight
from focuseval_papers.synthetic.concept_settings import Settings
from focuseval_papers.synthetic.concept_space import Plan, article_names, blocks, make_block, make_plan
from focuseval_papers.synthetic.table1 import compare_with_table1

#: time of every member of the archive
_NO_TIME = (1980, 1, 1, 0, 0, 0)

_DECLARATION = '<?xml version="1.0" encoding="UTF-8"?>\n'


def write_campaign(chosen: Settings, folder: Path, *, processes: int = 1) -> pd.DataFrame:
    """Write ``collection.zip``, ``topics.xml``, assessments in four forms, and ``table1.csv``.

    Assessments are ``assessments/`` (INEX 2003), ``assessments-2002/``, ``assessments-2005/`` and
    ``highlights.qrels`` (FOL).

    The files are the same to the byte for the same settings, whatever the number of processes.
    Returns the comparison with Table 1 of the paper that is in ``table1.csv``. Files of an earlier
    campaign in the folder are replaced; other files are left alone.
    """
    with replacing_several(folder) as new:
        assessments, of_2005, highlighted = _write_collection(chosen, new / "collection.zip", processes)
        plan = make_plan(chosen)
        (new / "topics.xml").write_text(_topics(plan), encoding="ascii")
        _write_assessments(plan, assessments, new / "assessments", _assessments_2003)
        _write_assessments(plan, assessments, new / "assessments-2002", _assessments_2002)
        _write_assessments(plan, of_2005, new / "assessments-2005", _assessments_2005)
        (new / "highlights.qrels").write_text(_qrels(plan, highlighted), encoding="ascii")
        comparison = compare_with_table1(assessments)
        comparison.to_csv(new / "table1.csv", index=False, lineterminator="\n")
    return comparison


def _documents_and_assessments(
    chosen: Settings, number: int
) -> tuple[list[bytes], pd.DataFrame, pd.DataFrame, pd.DataFrame]:
    """XML of the documents of a block, its assessments on both scales, and its highlighted passages."""
    block = make_block(chosen, number)
    return block.text.xml, assess(chosen, number, block), assess_2005(chosen, block), highlight(chosen, block)


def _write_collection(
    chosen: Settings, path: Path, processes: int
) -> tuple[pd.DataFrame, pd.DataFrame, pd.DataFrame]:
    """Write the documents; the assessments of all topics (scales 0-3, INEX 2005) and their passages."""
    names = iter(article_names(chosen.articles))
    tables: tuple[list[pd.DataFrame], list[pd.DataFrame], list[pd.DataFrame]] = ([], [], [])
    with zipfile.ZipFile(path, "w", compression=zipfile.ZIP_STORED) as archive:
        work = partial(_documents_and_assessments, chosen)
        for documents, *assessments in in_processes(work, blocks(chosen), processes):
            for document in documents:
                member = zipfile.ZipInfo(f"{next(names)}.xml", date_time=_NO_TIME)
                member.create_system = 3
                member.external_attr = 0o644 << 16
                archive.writestr(member, document)
            for table, part in zip(tables, assessments, strict=True):
                table.append(part)
    first, second, third = (
        pd.concat(parts, ignore_index=True).sort_values("topic", kind="stable", ignore_index=True)
        for parts in tables
    )
    return first, second, third


def _qrels(plan: Plan, highlighted: pd.DataFrame) -> str:
    """FOL qrels: topic, Q0, document, relevant and whole size, best entry point, passages."""
    lines = []
    for topic, document, size, held, passages in highlighted.itertuples(index=False):
        marked = [str(passages[0][0]), *(f"{a}:{b - a}" for a, b in passages)] if passages else []
        lines.append(" ".join([plan.names[topic], "Q0", document, str(held), str(size), *marked]) + "\n")
    return "".join(lines)


def _topics(plan: Plan) -> str:
    lines = [_DECLARATION + "<inex-topic-file>\n"]
    for number, (name, title, description) in enumerate(
        zip(plan.names, plan.titles, plan.descriptions, strict=True), start=1
    ):
        lines.append(
            f'  <topic id="{name}" ct_no="{number}">\n'
            f"    <title>{escape(title)}</title>\n"
            f"    <description>{escape(description)}</description>\n"
            f"    <narrative>Relevant text expresses a concept of the topic.</narrative>\n"
            f"  </topic>\n"
        )
    return "".join([*lines, "</inex-topic-file>\n"])


def _write_assessments(
    plan: Plan, assessments: pd.DataFrame, folder: Path, form: Callable[[str, pd.DataFrame], str]
) -> None:
    folder.mkdir()
    for topic, judged in assessments.groupby("topic", sort=True):
        name = plan.names[int(topic)]
        (folder / f"{name}.xml").write_text(form(name, judged), encoding="ascii")


def _assessments_2002(topic: str, judged: pd.DataFrame) -> str:
    """One topic's assessments in the form of INEX 2002: relevance and coverage."""
    return _paths(topic, judged, {"relevance": "exhaustivity", "coverage": "coverage"})


def _assessments_2003(topic: str, judged: pd.DataFrame) -> str:
    """One topic's assessments in the form of INEX 2003: scales 0-3."""
    return _paths(topic, judged, {"exhaustiveness": "exhaustivity", "specificity": "specificity"})


def _paths(topic: str, judged: pd.DataFrame, written: dict[str, str]) -> str:
    """Assessments of one topic, a ``path`` each: its attributes, and the columns that they are written from."""
    first, second = written
    lines = [_DECLARATION + f'<assessments pool="{topic}" topic="{topic}">\n']
    for document, elements in _by_document(judged, "path", *written.values()):
        lines.append(f'  <file file="{document}">\n')
        lines += [
            f'    <path path="{path}" {first}="{one}" {second}="{other}"/>\n'
            for _, path, one, other in elements
        ]
        lines.append("  </file>\n")
    return "".join([*lines, "</assessments>\n"])


def _assessments_2005(topic: str, judged: pd.DataFrame) -> str:
    """One topic's assessments in the form of INEX 2005: exhaustivity 1, 2 or ?, sizes in characters."""
    lines = [_DECLARATION + f'<assessments pool="{topic}" topic="{topic}" version="1">\n']
    for document, elements in _by_document(judged, "path", "exhaustivity", "size", "rsize"):
        lines.append(f'  <file collection="concept-space" name="{document}">\n')
        for _, path, exhaustivity, size, rsize in elements:
            value = "?" if exhaustivity < 0 else exhaustivity
            lines.append(
                f'    <element path="{path}" exhaustivity="{value}" size="{size}" rsize="{rsize}"/>\n'
            )
        lines.append("  </file>\n")
    return "".join([*lines, "</assessments>\n"])


def _by_document(judged: pd.DataFrame, *columns: str) -> Iterator[tuple[str, Iterator[tuple]]]:
    """The documents of assessments in their order, which is alphabetical, each with its rows: document, columns."""
    rows = zip(*(judged[name].tolist() for name in ("document", *columns)), strict=True)
    return groupby(rows, key=itemgetter(0))
