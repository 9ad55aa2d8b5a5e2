"""The scripts that write a campaign's assessments and runs, in the order of the workflow."""

import re
from pathlib import Path

import pytest

from focuseval_papers.synthetic.campaign_files import write_campaign
from focuseval_papers.synthetic.concept_settings import settings
from focuseval_papers.workflow import schema
from focuseval_papers.workflow.element_tables import build_collection
from focuseval_papers.workflow.notices import read_notices
from focuseval_papers.workflow.runsets import KIND_OF_TASK
from focuseval_papers.workflow.store import load_collection, load_results, load_topics
from tests.folders import write_files
from tests.papers.materials import campaign
from tests.papers.workflow.steps import run_script
from tests.snapshots import check


@pytest.fixture(scope="module")
def campaign_folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("campaign")
    write_campaign(settings(size="tiny"), folder)
    build_collection(folder / "collection.zip", folder / "collection")
    return folder


OF_TASK = {"scale": "inex2005", "baselines": {"systems": 2, "results": 5}}
FILES = {"collection": "c", "topics": "t", "assessments": "a", "runs": "r"}
#: a campaign's settings, its files of runs, and the number of systems by kind of retrieved runs
SCENARIOS = {
    # a task's own runs are read; the other task gets retrieved runs
    "tasks": (
        {**OF_TASK, "tasks": {"CO.Thorough": {"runs": "own"}, "CO.Focussed": {}}},
        {"CO.Thorough": "own"},
        {"focused": 1},
    ),
    # runs and judgements are those of one query type: other topics would score 0
    "query-type": (
        {**OF_TASK, "query_type": "CO"},
        {},
        {"thorough": 1},
    ),
    # submitted runs are cut to the topics of the query type; the runs of a task are unchanged
    "query-type-of-runs": (
        {**FILES, "scale": "inex2005", "query_type": "CAS"},
        {"submitted": "types", "CO.Thorough": "types"},
        {},
    ),
    # judgements of the documents in the runs' pool
    "pools": ({**FILES, "scale": "inex2005", "pool_depth": 1}, {"submitted": "types"}, {}),
    # a run whose texts are not at their offsets
    "texts": (
        {**FILES, "scale": "inex2005", "topics": None},
        {"submitted": "own.jsonl"},
        {},
    ),
    # baselines next to submitted runs, with the same length and for the same task
    "baselines-beside": (
        {**FILES, "scale": "inex2005", "size": 4, "task": "focused", "baselines": {"systems": 2}},
        {"submitted": "own"},
        {"focused": None},
    ),
    # baselines that return sections, in a collection without elements of this name
    "baselines-lost": (
        {
            "scale": "inex2005",
            "baselines": {"systems": 4, "results": 5, "sections": ["x"], "paragraphs": ["y"]},
        },
        {},
        {"thorough": None},
    ),
}


def contents(folder, collection):
    """Yield the output of the scripts: judged elements of topics, lengths of lists of runs, and notices."""
    for path in sorted((folder / "assessments").iterdir()):
        judged = {topic.name: len(topic.element) for topic in load_topics(path, collection)}
        yield f"{path.name}: {judged}"
    for path in sorted((folder / "runs").glob("*.parquet")):
        lists = list(load_results(path, collection).lists())
        for run in dict.fromkeys(result_list.run for result_list in lists):
            own = {result_list.topic: len(result_list) for result_list in lists if result_list.run == run}
            yield f"{path.name}: {run} {own}"
        yield f"no text twice: {all((result_list.new_text == result_list.size).all() for result_list in lists)}"
    counted = schema.read(folder / "facts.parquet", schema.FACTS).to_pandas()
    yield f"facts of {', '.join(counted['runs'].unique())}"
    population = (folder / "population.csv").read_text(encoding="utf-8").splitlines()
    yield f"population of {', '.join(dict.fromkeys(line.partition(',')[0] for line in population[1:]))}"
    for path in sorted(folder.rglob("*notices.csv")):
        for row in read_notices([path]).itertuples(index=False, name=None):
            yield f"{path.relative_to(folder)}: {' | '.join(row)}"


@pytest.mark.parametrize("name", SCENARIOS)
def test_files_of_a_campaign_are_as_in_their_snapshots(name, campaign_folder, tmp_path):
    settings, runs, kinds = SCENARIOS[name]
    collection, out = load_collection(campaign_folder / "collection"), tmp_path / "results"
    first, _, third, *_ = collection.names  # the third is relevant to 102
    result = {"topic": "101", "document": first, "start": 0, "end": 5, "score": 1, "text": "0?0?0"}
    write_files(tmp_path, {"own": f"101 Q0 {first} 1 9 mine /article[1]\n", "own.jsonl": [result]})
    for run, of in {"cas": ["101"], "co": ["102", "104"], "both": ["102", "103"]}.items():
        write_files(tmp_path, {f"types/{run}": [f"{topic} Q0 {third} 1 9 {run} /article[1]" for topic in of]})
    topics = (campaign_folder / "topics.xml").read_text(encoding="utf-8")
    for place, topic in enumerate(re.findall('<topic id="([^"]+)"', topics)):
        topics = topics.replace(f'id="{topic}"', f'id="{topic}" query_type="{"CO" if place % 2 else "CAS"}"')
    (tmp_path / "topics.xml").write_text(topics, encoding="utf-8")
    own_campaign = campaign(**settings)
    campaign_inputs = {
        "collection": [campaign_folder / "collection/documents.parquet"],
        "texts": campaign_folder / "collection.zip",
        "topics": tmp_path / "topics.xml" if own_campaign.query_type else "",
        "terms": out / "collection/terms.parquet",
    }
    params = {
        "campaign": own_campaign.model_dump(mode="json", exclude={"significance", "papers"}),
        "inside": dict.fromkeys(("texts", "topics", "runs", "assessments"), ""),
    }
    texts = []

    def run(script, inputs, of, **wildcards):
        ends = {"runs": ".parquet", "notices": ".notices.csv"}
        files = {key: out / f"runs/{of}{end}" for key, end in ends.items()}
        if script == "read_assessments":
            files = {key: out / f"assessments/all/{key}" for key in ("topics.parquet", "notices.csv")}
            files = {key.partition(".")[0]: path for key, path in files.items()}
        wildcards = {"campaign": "mine", **wildcards}
        log = run_script(
            script,
            {**campaign_inputs, **inputs},
            files,
            params | {"systems": kinds.get(of.partition("-")[2])},
            wildcards,
            tmp_path / "log",
        )
        texts.append(f"--- {script} {of}\n{log}")

    if kinds:
        files = {"terms": campaign_inputs["terms"]}
        run_script("index_texts", campaign_inputs, files, params, {"campaign": "mine"}, tmp_path / "log")
    for kind in kinds:
        run("retrieve_runs", {"topics": tmp_path / "topics.xml"}, f"retrieved-{kind}", kind=kind)
    for of, file in runs.items():
        beside = (
            out / f"runs/retrieved-{KIND_OF_TASK[own_campaign.task]}.parquet"
            if own_campaign.adds_baselines
            else ""
        )
        run("read_runs", {"runs": tmp_path / file, "retrieved": beside}, of, runs=of)
    scored = sorted(
        path
        for path in (out / "runs").glob("*.parquet")
        if path.stem in runs or not own_campaign.adds_baselines
    )
    pool = scored if own_campaign.pool_depth else []
    run(
        "read_assessments",
        {"assessments": campaign_folder / "assessments-2005", "runs": pool},
        "all",
        task="all",
    )
    facts = ("facts.parquet", "calibration.csv", "population.csv", "section.html")
    run_script(
        "describe_campaign",
        {**campaign_inputs, "assessments": [out / "assessments/all/topics.parquet"], "runs": scored},
        {name.partition(".")[0]: out / name for name in facts},
        params,
        {"campaign": "mine"},
        tmp_path / "log",
    )
    text = "\n".join([*contents(out, collection), *texts, ""]).replace(str(tmp_path), "FOLDER")
    check(
        text.replace(str(campaign_folder), "MADE"),
        Path(__file__).with_name("snapshots") / f"campaign-{name}.txt",
    )
