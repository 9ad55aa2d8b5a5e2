"""The whole workflow on the tiny campaign, in a copy of the repository as a fresh clone would be."""

import json
import re
import shutil
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
import yaml

from focuseval.measures import family_of
from focuseval_papers.workflow import schema

from ..snapshots import assert_rounded
from ..viewer.test_page import blocks_of
from .clone import copy_of_repository, snakemake


@pytest.fixture(scope="module")
def finished(undisturbed, tmp_path_factory):
    return Path(shutil.copytree(undisturbed, tmp_path_factory.mktemp("clone") / "finished", symlinks=True))


def test_the_place_of_the_report_is_printed_and_jobs_are_few(finished):
    assert (finished / "results/report.html").is_file()
    output = (finished / "output.txt").read_text(encoding="utf-8")
    jobs = re.search(r"^\[1/(\d+)\] ", output, re.MULTILINE)
    assert jobs is not None and int(jobs[1]) <= 110
    assert len(output.splitlines()) <= 110
    report, claims = output.splitlines()[-2:]
    assert report == "Tables, figures and findings: results/report.html"
    assert re.fullmatch(r"Claims of the papers: \d+ holds, \d+ contradicted, \d+ undecided, .*", claims)


def planned(clone, configuration="config/tiny.yaml"):
    """Return the rules that would run with the wildcards of their jobs, and Snakemake's output."""
    process = snakemake(clone, "--configfile", configuration, "-n", "--quiet", "host")
    assert process.returncode == 0, process.stdout
    jobs = {}
    for rule, text in re.findall(
        r"^\s*(?:local)?rule ([\w.-]+):\n(.*?)(?=^\s*(?:local)?rule |\Z)", process.stdout, re.M | re.S
    ):
        wildcard = re.search(r"wildcards: campaign=(.*)", text)
        jobs.setdefault(rule, set()).update([wildcard[1]] if wildcard else [])
    return jobs, process.stdout


def append(file, text="\n# changed\n"):
    file.write_text(file.read_text(encoding="utf-8") + text, encoding="utf-8")


def replace_text(file, old, new):
    file.write_text(file.read_text(encoding="utf-8").replace(old, new), encoding="utf-8")


# Changes of a clone. Each returns the jobs that it causes, without those between them and the report.


def comments_in_unused_measures(clone):
    append(clone / "src/focuseval/measures/reading.py")
    append(clone / "src/focuseval/measures/text.py")
    return set()


def comment_in_precall(clone):
    append(clone / "src/focuseval/measures/precall.py")
    return {
        "score concept-space-tiny ancestors precall",
        "score concept-space-tiny perfect precall",
        "score concept-space-tiny retrieved-as-declared.first-100 precall",
        "score concept-space-tiny retrieved-as-declared.first-1500 precall",
        "score concept-space-tiny-2002 retrieved-as-declared.first-100 precall",
        "correlate concept-space-tiny average-precision",
        "paper concept-space-tiny goevert2006",
    }


def another_value_in_a_sweep(clone):
    file = clone / "config/campaigns/concept-space-tiny-2005.yaml"
    replace_text(file, "alpha: [0, 1]", "alpha: [0, 0.5, 1]")
    return {
        "score concept-space-tiny-2005 retrieved-thorough xcg~alpha=0.5",
        "sweep concept-space-tiny-2005",
    }


def new_comparison(clone):
    added = "significance: [{name: early, measure: MAgP, size: 10}]\n"
    append(clone / "config/campaigns/concept-space-tiny-2006.yaml", added)
    runs = "retrieved-fetch-and-browse.first-10.relevant-in-context"
    return {
        f"score concept-space-tiny-2006 {runs} in_context",
        "compare concept-space-tiny-2006 early",
    }


def new_correlations(clone):
    added = "correlations: [{name: mine, measures: [MAgP, MAP]}]\n"
    append(clone / "config/campaigns/concept-space-tiny-2006.yaml", added)
    return {
        "score concept-space-tiny-2006 retrieved-fetch-and-browse.relevant-in-context in_context",
        "correlate concept-space-tiny-2006 mine",
    }


def deleted_artefact(clone):
    (clone / "results/concept-space-tiny/correlations/average-precision.parquet").unlink()
    return {"correlate concept-space-tiny average-precision", "paper concept-space-tiny goevert2006"}


def deleted_table(clone):
    (clone / "results/concept-space-tiny-2006/kamps2007/table1_pairs.csv").unlink()
    return {"paper concept-space-tiny-2006 kamps2007"}


def draws_of_perturbed_runs(clone):
    replace_text(clone / "config/tiny.yaml", "top: 6, draws: 2", "top: 6, draws: 3")
    runs = ("moved.draws-3", "siblings.draws-3")
    return {
        *(f"perturb_runs concept-space-tiny-2005 {name}" for name in runs),
        *(f"score concept-space-tiny-2005 {name} {metric}" for name in runs for metric in ("eprum", "xcg")),
        "paper concept-space-tiny-2005 piwowarski2006",
    }


#: rules that display all results, or explain measures from their declarations
REPORTING = {"write_report", "report", "view", "compare_draws", "work_examples"}


@pytest.mark.parametrize(
    "changes",
    [
        [comments_in_unused_measures],
        [comment_in_precall, draws_of_perturbed_runs],
        [another_value_in_a_sweep, new_comparison, new_correlations, deleted_artefact, deleted_table],
    ],
    ids=["without effect", "code and settings of papers", "campaigns and artefacts"],
)
def test_a_change_plans_exactly_its_dependent_jobs(changes, finished, tmp_path):
    """Changes that cause different jobs are tested together, since a dry run takes seconds."""
    clone = Path(shutil.copytree(finished, tmp_path / "clone", symlinks=True))
    expected = [change(clone) for change in changes]
    assert sum(map(len, expected)) == len(set().union(*expected))
    plan = snakemake(clone, "--configfile", "config/tiny.yaml", "-n", "--quiet", "rules", "host")
    assert plan.returncode == 0, plan.stdout
    jobs = re.findall(r"^(\w+(?: [^\s:]+)*): \w", plan.stdout, re.MULTILINE)
    # names of run sets, without the parts that all of them have
    names = {
        re.sub(r"\.quantisation-\w+|\.seed-\d+|(?<=tiny-2005) [\w-]+-[0-9a-f]{8}$", "", job) for job in jobs
    }
    assert {job for job in names if job.split()[0] not in {*REPORTING, "Rules"}} == set().union(*expected)


def test_changed_artefacts_change_results(finished, tmp_path):
    """A flag of the recall-base changes nxCG and EPRUM; a renamed simulated run is in the paper's table."""
    clone = Path(shutil.copytree(finished, tmp_path / "clone", symlinks=True))
    results = clone / "results/concept-space-tiny-2005"
    file = results / "recall_base/all.gen.parquet"
    base = schema.read(file, schema.RECALL_BASE).to_pandas()
    [first, *_] = base.index[base["ideal_paper"]]
    base.loc[first, "ideal_paper"] = False
    schema.write(base, schema.RECALL_BASE, file)
    topic = base.loc[first, "topic"]
    before = {m: results / f"scores/retrieved-focused/{m}.parquet" for m in ("xcg", "eprum")}
    old = {m: pd.read_parquet(path).astype({"topic": str}) for m, path in before.items()}
    simulated = clone / "results/concept-space-tiny/simulated/perfect.parquet"
    runs = schema.read(simulated, schema.RESULTS).to_pandas()
    schema.write(runs.assign(run="another"), schema.RESULTS, simulated)

    done = snakemake(clone, "--configfile", "config/tiny.yaml", "--", "papers")
    assert done.returncode == 0, done.stdout
    for metric, path in before.items():
        new = pd.read_parquet(path).astype({"topic": str})
        changed = set(new["topic"][~np.isclose(new["value"], old[metric]["value"], equal_nan=True)])
        assert changed == {topic}, metric
    table = pd.read_csv(clone / "results/concept-space-tiny/goevert2006/simulated.csv")
    assert set(table["run"]) == {"another", "ancestors"}


def test_results_without_records_are_refused_and_can_be_adopted(finished, tmp_path):
    clone = Path(shutil.copytree(finished, tmp_path / "clone", symlinks=True))
    shutil.rmtree(clone / ".snakemake/metadata")
    process = snakemake(clone, "--configfile", "config/tiny.yaml", "-n")
    assert process.returncode != 0 and "`make adopt` accepts them" in process.stdout
    process = snakemake(
        clone, "--configfile", "config/tiny.yaml", "-n", "--config", "findings={resamples: 2000}"
    )
    assert process.returncode != 0 and "another configuration (findings.resamples)" in process.stdout
    adopted = snakemake(clone, "--configfile", "config/tiny.yaml", "--touch")
    assert adopted.returncode == 0, adopted.stdout
    again = snakemake(clone, "--configfile", "config/tiny.yaml", "-n")
    assert "Nothing to be done" in again.stdout, again.stdout


def test_the_report_of_snakemake_has_the_pages_for_readers(finished, tmp_path):
    process = snakemake(
        finished, "--configfile", "config/tiny.yaml", "--report", str(tmp_path / "report.html")
    )
    assert process.returncode == 0, process.stdout
    page = (tmp_path / "report.html").read_text(encoding="utf-8")
    listed = page[page.index("var results = {") + len("var results = ") :]
    results, _ = json.JSONDecoder().raw_decode(listed)
    assert all(result["caption"] for result in results.values())
    of_rules = {result["job_properties"]["rule"] for result in results.values()}
    assert of_rules == {"correlate", "paper", "sweep", "view", "write_report"}
    assert "Published evaluations of focused retrieval" in page


def test_the_graph_of_rules_reads_like_the_experiment(finished):
    drawn = snakemake(finished, "--rulegraph", "--quiet", "host")
    boxes = set(re.findall(r'label = "(\w+)"', drawn.stdout))
    stages = {
        "parse_collection",
        "read_assessments",
        "build_recall_base",
        "simulate_runs",
        "perturb_runs",
        "score",
    }
    assert stages | {"correlate", "sweep", "paper"} <= boxes and len(boxes) <= 18


def test_the_report_holds_everything_and_names_no_network(finished):
    page = (finished / "results/report.html").read_text(encoding="utf-8")
    for item in [*(f"Table {n}" for n in range(1, 6)), *(f"Figure {n}" for n in (3, 5, 6, 8, 9, 10, 11))]:
        assert f"<h3>{item}." in page
    for item in ("Table 1. Significant improvements for MAgP", "Table 2. Significant improvements for MAP"):
        assert f"<h3>{item}</h3>" in page
    assert page.count("<figure>") == len(set(re.findall(r'href="([^"]*\.svg)"', page))) >= 12
    assert re.findall(r'(?:src|href)="(?:https?:)?//', page) == []
    for link in re.findall(r'href="((?!#|data:)[^"]+)"', page):
        assert (finished / "results" / link).is_file(), link
    assert page.index("<h2>Kazai") < page.index(
        "<h2>Sweep on concept-space-tiny-2005: nxCG over alpha, ideal and cut-off"
    )
    assert "<b>SHA-256:</b> configuration " in page
    assert_rounded(re.sub("<pre.*?</pre>|<style.*?</style>|<!--.*?-->|<[^>]*>", " ", page, flags=re.DOTALL))
    assert len(page) < 4_000_000


@pytest.mark.parametrize(
    ("campaign", "runs", "longest"),
    [
        ("concept-space-tiny", "retrieved-as-declared.first-1500", 100),
        ("concept-space-tiny-2005", "retrieved-focused", 100),
        (
            "concept-space-tiny-2006",
            "retrieved-fetch-and-browse.first-1500.topics-111.relevant-in-context",
            97,
        ),
    ],
)
def test_every_campaign_has_a_page_to_look_into_which_the_report_links_to(finished, campaign, runs, longest):
    assert f'<a href="{campaign}/view.html">' in (finished / "results/report.html").read_text(
        encoding="utf-8"
    )
    text = (finished / "results" / campaign / "view.html").read_text(encoding="utf-8")
    blocks = blocks_of(text)
    core, topic = blocks["core"], blocks["t0"]
    assert len([name for name in blocks if name.startswith("t")]) == len(core["topics"]) == 4
    assert core["topics"][0]["query"] and any(name.startswith("d") for name in blocks)
    assert max(len(one["rank"]) for one in topic["lists"]) == longest  # lists are cut at 100
    name = core["asked"][0]["name"]
    metric = family_of(name)
    scores = pd.read_parquet(finished / "results" / campaign / f"scores/{runs}/{metric}.parquet")
    of = scores[scores["name"] == name].astype({"run": str, "topic": str})
    values = of.set_index(["run", "topic"])["value"]
    topics = [one["name"] for one in core["topics"]]
    assert len(core["runs"]) == of["run"].nunique() <= 20
    for r, run in enumerate(core["runs"]):
        by_topic = dict(zip(topics, core["measures"][name]["values"][r], strict=True))
        values_shown = {one: value for one, value in by_topic.items() if value is not None}
        # a topic without anything relevant under the measure's settings has no value
        assert values_shown == pytest.approx(values[run].to_dict(), abs=1e-6) and values_shown


@pytest.mark.parametrize(
    ("paper", "campaign", "of_examples", "of_campaign"),
    [
        (
            "piwowarski2006",
            "concept-space-tiny-2005",
            ["Table 1."],
            ["Figure 4.", "Section 7. An ideal element"],
        ),
        (
            *("ali2008", "concept-space-tiny-2006"),
            ["Figure 2.", "Figures 3 and 4.", "Examples 4.2, 4.4, 5.1 and 6.1", "Table 1.", "Figure 5."],
            ["Findings", "Table 3.", "Figure 6.", "Structural summaries", "The summary graph"],
        ),
    ],
)
def test_the_report_has_the_examples_of_a_paper_and_its_results_on_a_campaign(
    finished, paper, campaign, of_examples, of_campaign
):
    page = (finished / "results/report.html").read_text(encoding="utf-8")
    parts = dict(re.findall(rf'<div id="({paper}-[^"]*)">(.*?)</section>', page, re.DOTALL))
    assert set(parts) == {f"{paper}-examples", f"{paper}-{campaign}"}
    for part, items in zip(parts.values(), (of_examples, of_campaign), strict=True):
        assert [item for item in items if f"<h3>{item}" not in part] == [] and "Not available" not in part


def test_a_bad_configuration_and_bad_options_are_reported_by_key(finished):
    (finished / "bad.yaml").write_text("colour: blue", encoding="utf-8")
    process = snakemake(finished, "--configfile", "bad.yaml", "-n", "--config", "audit={runs: 0}")
    assert process.returncode != 0
    assert (
        "/bad.yaml: the key 'colour' is unknown; expected one of campaigns, data_folder, papers, findings,"
        in process.stdout
    )
    assert "\n--config, audit.runs: the value is 0; expected" in process.stdout
    assert "Traceback" not in process.stdout and "common.smk" not in process.stdout


def test_one_paper_makes_none_of_the_campaigns_that_it_does_not_use(tmp_path):
    clone = copy_of_repository(tmp_path / "clone")
    campaigns = [f"concept-space-tiny{year}" for year in ("", "-2002", "-2005", "-2006")]
    (clone / "one.yaml").write_text(
        json.dumps({"campaigns": campaigns[:1] + campaigns[2:], "papers": ["goevert2006"]})
    )
    plan, _ = planned(clone, "one.yaml")
    assert plan["generate_campaign"] == set(campaigns[:2])


@pytest.fixture(scope="module")
def plan_of_ones_own(tmp_path_factory):
    """Return the plan for campaigns and an audit, in a clone with a user's own paper without figures."""
    folder = tmp_path_factory.mktemp("own")
    clone = copy_of_repository(folder / "clone")
    sixth = clone / "src/focuseval_papers/sixth"
    sixth.mkdir()
    (sixth / "__init__.py").touch()
    (sixth / "numbers.py").write_text(
        "from dataclasses import replace\n"
        "from pathlib import Path\n"
        "from focuseval_papers.goevert2006.numbers import PAPER as first\n"
        "PAPER = replace(first, folder=Path(__file__).parent)\n",
        encoding="utf-8",
    )
    first = yaml.safe_load((clone / "src/focuseval_papers/goevert2006/publication.yaml").read_text("utf-8"))
    own_parts = {"title": "Sixth", "campaign": "X", "introduction": "Y", "findings": first["findings"][:1]}
    shared = {key: first[key] for key in ("words", "scores", "correlations")}
    declared = {**own_parts, **shared, "after_findings": [{"table": "runs", "title": "Z"}]}
    (sixth / "publication.yaml").write_text(json.dumps(declared), encoding="utf-8")
    papers = clone / "src/focuseval_papers/publication/paper.py"
    code = papers.read_text(encoding="utf-8").replace("NAMES = (", 'NAMES = ("sixth", ')
    papers.write_text(code, encoding="utf-8")
    (folder / "documents").mkdir()
    (folder / "documents/a.md").write_text("some text")
    span = {"topic": "q", "document": "a.md", "start": 0, "end": 4}
    (folder / "gold.jsonl").write_text(json.dumps(span) + "\n")
    campaigns = [{"name": "mine", "concept_space": {"size": "tiny"}, "papers": ["sixth"]}]
    for name, text in (("without", {}), ("with", {"text": "some"})):
        (folder / f"{name}.jsonl").write_text(json.dumps(span | {"score": 1} | text) + "\n")
        files = {"collection": "documents", "assessments": "gold.jsonl", "runs": f"{name}.jsonl"}
        campaigns.append({"name": name, "folder": str(folder)} | files)
    (clone / "own.yaml").write_text(json.dumps({"campaigns": campaigns, "audit": {"campaigns": ["with"]}}))
    return folder, *planned(clone, "own.yaml")


def test_a_sixth_paper_is_its_folder_and_its_name_and_need_have_no_figures(plan_of_ones_own):
    _, plan, _ = plan_of_ones_own
    assert plan["paper"] == {"mine, paper=sixth"}


def test_documents_are_inputs_if_lines_have_texts_and_audits_are_inputs_of_the_report(
    plan_of_ones_own,
):
    folder, plan, output = plan_of_ones_own
    jobs = re.findall(r"^\s*rule read_runs:\n\s+input: (.*)", output, re.MULTILINE)
    for name in ("with", "without"):
        [job] = [job for job in jobs if f"{folder}/{name}.jsonl" in job]
        assert (f"{folder}/documents" in job) == (name == "with")
    assert plan["audit"] == {"with"}
    [page] = re.findall(r"^\s*rule write_report:\n\s+input: (.*)", output, re.MULTILINE)
    assert "results/audit/with" in page.split(", ")


def test_an_own_campaign_gets_significance(finished, tmp_path):
    """Gold spans and runs need no tree of elements, and no paper is computed."""
    inputs = finished / "results/concept-space-tiny-2006/input"
    qrels = [line.split() for line in (inputs / "highlights.qrels").read_text(encoding="utf-8").splitlines()]
    (tmp_path / "runs").mkdir()
    for name, share in (("whole", 1.0), ("half", 0.5), ("tenth", 0.1)):
        lines = [
            f"{topic} Q0 {document} {rank} {1 / rank} {name} 0 {int(int(size) * share)}\n"
            for rank, (topic, _, document, rsize, size, *_) in enumerate(qrels, 1)
            if rsize != "0"
        ]
        (tmp_path / f"runs/{name}.run").write_text("".join(lines), encoding="utf-8")
    with open(tmp_path / "runs/tenth.run", "a", encoding="utf-8") as out:
        out.write("101 Q0 nothing 1 high tenth 0 10\n")
    configuration = tmp_path / "mine.yaml"
    configuration.write_text(
        "campaigns:\n"
        "  - name: mine\n"
        f"    collection: {inputs}/collection.zip\n"
        f"    assessments: {inputs}/highlights.qrels\n"
        f"    runs: {tmp_path}/runs\n"
        "    task: focused\n"
        "    lenient: true\n"
        "    equal_scores_tie: true\n"
        "    papers: []\n"
        "    significance:\n"
        "      - {name: recall, measure: char_recall, test: t-test, correction: holm}\n"
        "    sweeps:\n"
        "      - {measure: IoU, parameters: {average: [macro, micro]}, cutoffs: [1, 5, 500c]}\n",
        encoding="utf-8",
    )
    done = snakemake(finished, "--configfile", str(configuration))
    assert done.returncode == 0, done.stdout
    folder = finished / "results/mine/comparisons/recall"
    matrix = (folder / "matrix.csv").read_text(encoding="utf-8").splitlines()
    assert matrix[0] == "rank,run,1,2,3" and matrix[1] == "1,whole,,*,*"
    systems = (folder / "systems.csv").read_text(encoding="utf-8").splitlines()
    assert systems[1].split(",")[:3] == ["1", "whole", "1.0"]
    page = (finished / "results/report.html").read_text(encoding="utf-8")
    assert "Significance on mine" in page and "after Holm" in page
    assert "<h1>mine</h1>" in page and page.index("Systems on mine") < page.index("Significance on mine")
    measures = (
        (finished / "results/mine/comparisons/systems/measures.csv").read_text(encoding="utf-8").splitlines()
    )
    rows = [line.split(",")[:4] for line in measures[1:]]
    assert rows[0][:3] == ["1", "whole", "IoU"] and "runs cut differently. AiP depends on that" in page
    assert ["1", "whole", "char_recall", "1.0"] in rows
    [swept] = (finished / "results/mine/sweeps").glob("IoU-average-cutoff-*/sweep.csv")
    table = pd.read_csv(swept)
    assert set(table["cutoff"]) == {"1", "5", "500c"} and set(table["average"]) == {"macro", "micro"}
    assert "<h2>Sweep on mine: IoU over average and cut-off</h2>" in page
    notices = pd.read_csv(finished / "results/mine/runs/submitted.notices.csv")
    rejected = notices["text"][notices["kind"] == "rejected"].tolist()
    assert len(rejected) == 1 and "tenth.run, line" in rejected[0]
    assert "Lines and documents that could not be read." in page
    assert "Options without effect on a measure" in page
    for log, line in (
        ("read_runs.submitted", rejected[0]),
        ("compare.systems", "1 part of the input could not be read"),
    ):
        assert line in (finished / f"results/logs/mine/{log}.log").read_text(encoding="utf-8")
        assert f"mine: {line}" in done.stdout
    assert 'could not be read: see <a href="#systems-mine:left-out">' in page
    assert "<h2>Gövert" not in page
