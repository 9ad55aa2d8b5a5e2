"""The script that leaves a campaign's judgements and runs, with tasks that have runs and others to retrieve for."""

import json
import re
import runpy
from pathlib import Path
from types import SimpleNamespace

import pytest

from focuseval_papers.retrieval.systems import SYSTEMS
from focuseval_papers.synthetic.campaign_files import write_campaign
from focuseval_papers.synthetic.concept_settings import settings
from focuseval_papers.workflow import schema
from focuseval_papers.workflow.configuration import CampaignSettings
from focuseval_papers.workflow.element_tables import build_collection
from focuseval_papers.workflow.store import load_collection, load_results, load_topics
from tests.papers.made import ROOT, campaign


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


def perform(
    mine: CampaignSettings,
    made: Path,
    folder: Path,
    runs: dict[str, str],
    kinds: dict[str, int | None],
    topics: Path | None = None,
) -> dict[str, Path]:
    """Run the script on a made collection; the files that it leaves."""
    out = {name: folder / name for name in ("judgements", "runs", "facts", "told", "rejected")}
    elements, collection = made / "elements", made / "collection.zip"
    given = Named(elements=elements, texts=collection, topics=topics or made / "topics.xml")
    given.__dict__["imported"] = []
    params = SimpleNamespace(
        campaign=mine.model_dump(mode="json", exclude={"significance", "papers"}),
        assessments={"all": str(made / "assessments-2005")},
        runs=runs,
        kinds=kinds,
        ruled=[],
        structured_topics="",
    )
    snakemake = SimpleNamespace(
        input=given, output=Named(**out), log=[str(folder / "log")], params=params, threads=2
    )
    runpy.run_path(str(ROOT / "scripts/campaign.py"), init_globals={"snakemake": snakemake})
    return out


def test_runs_are_read_where_a_task_has_some_and_retrieved_for_the_others(made: Path, tmp_path: Path) -> None:
    names = load_collection(made / "elements").names
    (tmp_path / "own").write_text(f"101 Q0 {names[0]} 1 9 mine /article[1]\n", encoding="utf-8")
    mine = campaign(
        scale="inex2005",
        baselines={"systems": 2, "results": 5},
        tasks={"CO.Thorough": {"runs": str(tmp_path / "own")}, "CO.Focussed": {}},
    )
    kinds = {"CO.Thorough": None, "focused": 1}
    out = perform(mine, made, tmp_path, {"CO.Thorough": str(tmp_path / "own")}, kinds)
    assert sorted(path.stem for path in out["runs"].glob("*.parquet")) == ["CO.Thorough", "focused"]
    loaded = load_collection(made / "elements")
    assert list(load_results(out["runs"] / "CO.Thorough.parquet", loaded).runs) == ["mine"]
    assert len(load_results(out["runs"] / "focused.parquet", loaded).runs) == 1
    counted = schema.read(out["facts"], schema.FACTS).to_pandas()
    assert counted["runs"].unique().tolist() == list(kinds)
    assert (tmp_path / "log").read_text().startswith("took")


def test_made_runs_and_judgements_are_of_the_topics_of_a_query_type(made: Path, tmp_path: Path) -> None:
    """The others would have a score of 0."""
    topics = (made / "topics.xml").read_text(encoding="utf-8")
    names = re.findall('<topic id="([^"]+)"', topics)
    for place, name in enumerate(names):
        topics = topics.replace(f'id="{name}"', f'id="{name}" query_type="{"CO" if place % 2 else "CAS"}"')
    (tmp_path / "typed.xml").write_text(topics, encoding="utf-8")
    mine = campaign(scale="inex2005", query_type="CO", baselines={"systems": 1, "results": 5})
    out = perform(mine, made, tmp_path, {}, {"thorough": None}, tmp_path / "typed.xml")
    loaded = load_collection(made / "elements")
    judged = [topic.name for topic in load_topics(out["judgements"] / "all", loaded)]
    assert judged == names[1::2]
    results = load_results(out["runs"] / "thorough.parquet", loaded)
    assert {found.topic for found in results.lists()} == set(judged)
    table = schema.read(out["told"], schema.TOLD).to_pandas()
    [told] = table[table["source"] == "query_type"]["text"]
    assert told == f"{len(names[::2])} assessed topics not of CO; left out: {', '.join(names[::2])}"


def test_texts_that_do_not_stand_at_their_offsets_are_told(made: Path, tmp_path: Path) -> None:
    name = load_collection(made / "elements").names[0]
    result = {"topic": "101", "document": name, "start": 0, "end": 5, "score": 1, "text": "0?0?0"}
    (tmp_path / "own.jsonl").write_text(json.dumps(result) + "\n", encoding="utf-8")
    mine = campaign(scale="inex2005", collection="c", assessments="a", runs="r")
    out = perform(mine, made, tmp_path, {"submitted": str(tmp_path / "own.jsonl")}, {"submitted": None})
    table = schema.read(out["told"], schema.TOLD).to_pandas()
    [told] = table[table["kind"] == "elsewhere"].itertuples()
    assert told.source == f"{tmp_path}/own.jsonl, line 1"
    assert told.text.startswith("1 of 1 text not at the offsets given, this one first: '0?0?0' where")
    assert told.text in (tmp_path / "log").read_text()


def test_baselines_stand_beside_submitted_runs_and_say_so(made: Path, tmp_path: Path) -> None:
    names = load_collection(made / "elements").names
    (tmp_path / "own").write_text(f"101 Q0 {names[0]} 1 9 mine /article[1]\n", encoding="utf-8")
    files = {"collection": "c", "topics": "t", "assessments": "a", "runs": "r"}
    mine = campaign(**files, scale="inex2005", size=4, task="focused", baselines={"systems": 2})
    out = perform(mine, made, tmp_path, {"submitted": str(tmp_path / "own")}, {"submitted": None})
    loaded = load_collection(made / "elements")
    runs = load_results(out["runs"] / "submitted.parquet", loaded)
    assert runs.runs[0] == "mine" and len(runs.runs) == 3
    assert all(str(name).startswith("baseline.") for name in runs.runs[1:])
    lists = list(runs.lists())
    assert lists[0].run == "mine" and len(lists[0]) == 1
    assert max(len(each) for each in lists) == 4  # the campaign's size holds for them, too
    assert all((each.new_text == each.size).all() for each in lists)  # made for its task


def test_baselines_without_a_result_are_told(made: Path, tmp_path: Path) -> None:
    """Of systems that return sections, where nothing is called one."""
    mine = campaign(
        scale="inex2005",
        baselines={"systems": 4, "results": 5, "sections": ["chapter"], "paragraphs": ["para"]},
    )
    out = perform(mine, made, tmp_path, {}, {"thorough": None})
    runs = load_results(out["runs"] / "thorough.parquet", load_collection(made / "elements")).runs
    lost = [name for name in (system.name for system in SYSTEMS[:4]) if name not in set(runs)]
    table = schema.read(out["told"], schema.TOLD).to_pandas()
    [told] = table[table["source"] == "baselines"]["text"]
    assert lost and told.startswith(f"left out, without a result: {', '.join(lost)}; if they return sections")
