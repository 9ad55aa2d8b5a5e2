"""The script that leaves a campaign's judgements and runs, with tasks that have runs and others to retrieve for."""

import re
import runpy
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from focuseval.model.elements import Collection
from focuseval_papers.synthetic.campaign_files import write_campaign
from focuseval_papers.synthetic.concept_settings import settings
from focuseval_papers.workflow import schema
from focuseval_papers.workflow.element_tables import build_collection
from focuseval_papers.workflow.store import load_collection, load_results, load_topics
from tests.folders import write_files
from tests.papers.made import ROOT, campaign
from tests.shown import check


class Named(list[str]):
    """Files by names, as Snakemake hands them to scripts."""

    def __init__(self, **files: Path) -> None:
        super().__init__(map(str, files.values()))
        self.__dict__.update(zip(files, self, strict=True))

    def items(self) -> list[tuple[str, str]]:
        return list(self.__dict__.items())


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("campaign")
    write_campaign(settings(size="tiny"), folder)
    build_collection(folder / "collection.zip", folder / "elements")
    return folder


OF_TASK = {"scale": "inex2005", "baselines": {"systems": 2, "results": 5}}
FILES = {"collection": "c", "topics": "t", "assessments": "a", "runs": "r"}
#: a campaign's settings, the files of runs that it has, and the kinds of runs that are made for it
SCENARIOS: dict[str, tuple[dict[str, Any], dict[str, str], dict[str, int | None]]] = {
    # runs are read where a task has some, and retrieved for the others
    "tasks": (
        {**OF_TASK, "tasks": {"CO.Thorough": {"runs": "own"}, "CO.Focussed": {}}},
        {"CO.Thorough": "own"},
        {"CO.Thorough": None, "focused": 1},
    ),
    # runs and judgements are of the topics of a query type: the others would have a score of 0
    "query-type": (
        {**OF_TASK, "query_type": "CO"},
        {},
        {"thorough": 1},
    ),
    # of submitted runs the results for its topics are taken; those that a task has of its own are as they are
    "query-type-of-runs": (
        {**FILES, "scale": "inex2005", "query_type": "CAS"},
        {"submitted": "types", "CO.Thorough": "types"},
        {"submitted": None, "CO.Thorough": None},
    ),
    # judgements of a pool of the runs
    "pools": ({**FILES, "scale": "inex2005", "pool_depth": 1}, {"submitted": "types"}, {"submitted": None}),
    # texts that are not at their offsets
    "texts": (
        {**FILES, "scale": "inex2005", "topics": None},
        {"submitted": "own.jsonl"},
        {"submitted": None},
    ),
    # baselines beside submitted runs, as long and made for the task
    "baselines-beside": (
        {**FILES, "scale": "inex2005", "size": 4, "task": "focused", "baselines": {"systems": 2}},
        {"submitted": "own"},
        {"submitted": None},
    ),
    # baselines that return sections, where nothing is called one
    "baselines-lost": (
        {
            "scale": "inex2005",
            "baselines": {"systems": 4, "results": 5, "sections": ["x"], "paragraphs": ["y"]},
        },
        {},
        {"thorough": None},
    ),
}


def left(folder: Path, collection: Collection) -> Iterator[str]:
    """What the script leaves: topics with their judged elements, runs with the length of their lists, and what is told."""
    for path in sorted((folder / "judgements").glob("[!.]*")):
        judged = {topic.name: len(topic.element) for topic in load_topics(path, collection)}
        yield f"{path.name}: {judged}"
    for path in sorted((folder / "runs").glob("[!.]*")):
        lists = list(load_results(path, collection).lists())
        for run in dict.fromkeys(found.run for found in lists):
            own = {found.topic: len(found) for found in lists if found.run == run}
            yield f"{path.name}: {run} {own}"
        yield f"no text twice: {all((found.new_text == found.size).all() for found in lists)}"
    counted = schema.read(folder / "facts", schema.FACTS).to_pandas()
    yield f"facts of {', '.join(counted['runs'].unique())}"
    for row in schema.read(folder / "told", schema.TOLD).to_pylist():
        yield f"{row['kind']} | {row['source']} | {row['text']}"
    log = (folder / "log").read_text()
    yield re.sub(r"took .*", "took ...", log).strip()


@pytest.mark.parametrize("name", SCENARIOS)
def test_what_a_campaign_leaves_is_as_it_was(name: str, made: Path, tmp_path: Path) -> None:
    settings, runs, kinds = SCENARIOS[name]
    collection = load_collection(made / "elements")
    first, _, third, *_ = collection.names  # the third is relevant to 102
    result = {"topic": "101", "document": first, "start": 0, "end": 5, "score": 1, "text": "0?0?0"}
    write_files(tmp_path, {"own": f"101 Q0 {first} 1 9 mine /article[1]\n", "own.jsonl": [result]})
    for run, of in {"cas": ["101"], "co": ["102", "104"], "both": ["102", "103"]}.items():
        write_files(tmp_path, {f"types/{run}": [f"{topic} Q0 {third} 1 9 {run} /article[1]" for topic in of]})
    topics = (made / "topics.xml").read_text(encoding="utf-8")
    for place, topic in enumerate(re.findall('<topic id="([^"]+)"', topics)):
        topics = topics.replace(f'id="{topic}"', f'id="{topic}" query_type="{"CO" if place % 2 else "CAS"}"')
    (tmp_path / "topics.xml").write_text(topics, encoding="utf-8")
    out = {file: tmp_path / file for file in ("judgements", "runs", "facts", "told", "rejected")}
    given = Named(elements=made / "elements", texts=made / "collection.zip", topics=tmp_path / "topics.xml")
    given.__dict__["imported"] = []
    params = SimpleNamespace(
        campaign=campaign(**settings).model_dump(mode="json", exclude={"significance", "papers"}),
        assessments={"all": str(made / "assessments-2005")},
        runs={of: str(tmp_path / file) for of, file in runs.items()},
        kinds=kinds,
        ruled=[],
        structured_topics="",
    )
    snakemake = SimpleNamespace(
        input=given, output=Named(**out), log=[str(tmp_path / "log")], params=params, threads=2
    )
    runpy.run_path(str(ROOT / "scripts/campaign.py"), init_globals={"snakemake": snakemake})
    said = "\n".join([*left(tmp_path, collection), ""]).replace(str(tmp_path), "FOLDER")
    check(said.replace(str(made), "MADE"), Path(__file__).with_name("shown") / f"campaign-{name}.txt")
