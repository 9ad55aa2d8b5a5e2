"""Material for papers: tables of scores, and whole campaigns on disk with the scores that a paper requests."""

import zipfile
from dataclasses import replace
from functools import cache
from io import StringIO
from pathlib import Path

import numpy as np
import pandas as pd

from focuseval.campaign.tables import write_frame
from focuseval.measures import MEASURES, family_of, parse_specs
from focuseval.model.results import Results
from focuseval.report.figures import draw
from focuseval.report.parts import Absent, Figure, Table, files_of, write_tables
from focuseval_papers.publication.claims import findings_table
from focuseval_papers.publication.correlations import correlate
from focuseval_papers.publication.estimates import Estimate, Quantity, value_of
from focuseval_papers.publication.kinds import drawings
from focuseval_papers.publication.paper import Material
from focuseval_papers.publication.requests import requests, why_not
from focuseval_papers.simulation import perturb, simulate
from focuseval_papers.workflow import schema
from focuseval_papers.workflow.campaign_settings import CampaignSettings
from focuseval_papers.workflow.element_tables import build_collection
from focuseval_papers.workflow.runsets import SIMULATIONS
from focuseval_papers.workflow.scoring import ideal_quantisation, read_scores, score_runs
from focuseval_papers.workflow.store import (
    load_collection,
    load_topics,
    results_of_set,
    topics_of_set,
    write_recall_base,
    write_results,
    write_topics,
)
from tests.figure_text import figure_text
from tests.snapshots import REWRITE, check
from tests.trees import random_topic

ROOT = Path(__file__).parents[2]

spec_of = cache(lambda name: parse_specs(name, MEASURES)[0])


def printed(*names):
    """Return printed values by the names of their files."""
    return {name: pd.read_csv(ROOT / f"config/published/{name}.csv") for name in names}


def campaign(**settings):
    """Return the settings of a campaign: with a collection of its own, else synthetic."""
    collection_settings = {} if "collection" in settings else {"concept_space": {"size": "tiny"}}
    return CampaignSettings.model_validate({"name": "mine", **collection_settings, **settings})


def scores(rows, runs="runs"):
    """Rows (run, topic, measure as asked for, value) in the columns of `focuseval_papers.workflow.schema.SCORES`."""
    table = pd.DataFrame(rows, columns=["run", "topic", "name", "value"])
    specs = [spec_of(name) for name in table["name"]]
    return table.assign(
        campaign="mine",
        runs=runs,
        size=-1,
        name=[spec.name for spec in specs],
        measure=[spec.measure.name for spec in specs],
        parameters=[spec.settings for spec in specs],
        cutoff=pd.array([spec.cutoff for spec in specs], dtype=float),
    ).reindex(columns=schema.SCORES.names)


def leave_scores(table, folder):
    """Write scores of one set of runs into a campaign's folder like scoring jobs: a file for each metric."""
    (runs,) = table["runs"].unique()
    metrics = {name: family_of(name) for name in table["measure"].unique()}
    for metric in dict.fromkeys(metrics.values()):
        path = folder / f"scores/{runs}/{metric}.parquet"
        schema.write(table[table["measure"].map(metrics) == metric], schema.SCORES, path)


def collection_on_disk(documents, folder):
    """Return the collection of XML documents, after writing its element tables into a campaign's folder."""
    source = folder.parent / f"{folder.name}-documents"
    source.mkdir(parents=True)
    for name, text in documents.items():
        (source / f"{name}.xml").write_text(text, encoding="utf-8")
    build_collection(source, folder / "collection")
    return load_collection(folder / "collection")


def results_of(lists, collection):
    """Return results by run and topic from ranked rows of elements; a row below 0 is no element."""
    runs, topics = (pd.Index(sorted({key[side] for key in lists})) for side in (0, 1))
    rows = [
        (runs.get_loc(run), topics.get_loc(topic), rank, row)
        for (run, topic), list_rows in sorted(lists.items())
        for rank, row in enumerate(list_rows, 1)
    ]
    run, topic, rank, row = np.array(rows, dtype=np.int64).reshape(-1, 4).T
    rows_or_0 = np.maximum(row, 0)
    columns = collection.document_of(rows_or_0), row, collection.start[rows_or_0], collection.end[rows_or_0]
    document, element, start, end = (np.where(row < 0, -1, column) for column in columns)
    score = np.full(len(rows), np.nan)
    return Results(runs, topics, run, topic, rank, document, element, start, end, score)


def files_text(folder):
    """Return the files in a folder and their content as text: rows of tables, members of archives."""
    lines = []
    for path in sorted(path for path in folder.rglob("*") if path.is_file()):
        if path.suffix == ".parquet":
            text = pd.read_parquet(path).to_csv(index=False)
        elif path.suffix == ".zip":
            with zipfile.ZipFile(path) as archive:
                text = "\n".join(f"{name}: {archive.read(name).decode()}" for name in archive.namelist())
        else:
            text = path.read_text(encoding="utf-8")
        lines += [f"=== {path.relative_to(folder)}", text.removesuffix("\n")]
    return "\n".join([*lines, ""])


def leave(topics, runs, collection, folder):
    """Write assessments and runs into a campaign's folder like the workflow."""
    write_topics(topics, folder / "assessments/all")
    (folder / "runs").mkdir(exist_ok=True)
    for name, results in runs.items():
        write_results(results, collection, folder / f"runs/{name}.parquet")


def random_results(rng, topics, systems, length):
    """Return random lists of distinct elements for a number of systems."""
    collection = topics[0].collection
    lists = {
        (f"run{run}", topic.name): rng.permutation(len(collection))[:length]
        for run in range(systems)
        for topic in topics
    }
    return results_of(lists, collection)


def leave_random(rng, documents, folder, runs, *, systems, length, scale="inex2003"):
    """Write a campaign's folder with two random topics, and random systems in each file of runs."""
    collection = collection_on_disk(documents, folder)
    topics = [replace(topic, name=name) for name in "12" for topic in [random_topic(rng, collection, scale)]]
    results = random_results(rng, topics, systems, length)
    leave(topics, dict.fromkeys(runs, results), collection, folder)


def topics_on_disk(runs, folder, collection, quantisations=()):
    """Return the topics of a set of runs in a campaign's folder; missing recall-bases are built."""
    assessments, bases = folder / "assessments" / runs.judgements, []
    for quantisation in quantisations:
        path = folder / f"recall_base/{runs.judgements}.{quantisation}.parquet"
        if not path.exists():
            path.parent.mkdir(exist_ok=True)
            write_recall_base(load_topics(assessments, collection), quantisation, path)
        bases.append(str(path))
    return topics_of_set(runs, [str(assessments / "topics.parquet")], collection, bases)


def results_on_disk(runs, folder, collection):
    """Return the runs of a set; simulate or perturb them first if the set says so."""
    path = folder / runs.artefact
    if runs.made_by and not path.exists():
        path.parent.mkdir(exist_ok=True)
        topics = topics_on_disk(runs, folder, collection, runs.quantisations)
        if runs.made_by in SIMULATIONS:
            results = simulate(runs, topics)
        else:
            file = folder / f"runs/{runs.runs}.parquet"
            results = perturb(
                runs, topics, results_of_set(runs, file, collection, topics) if runs.runs else None
            )
        write_results(results, collection, path)
    return results_of_set(runs, path, collection, topics_on_disk(runs, folder, collection), made=True)


def scored(
    folder, runs, names, optional=(), *, unit="characters", lenient=False, texts=None, declared=MEASURES
):
    """Score a set of runs in a campaign's folder; return the scores and what was left out."""
    collection = load_collection(folder / "collection", unit, texts=texts)
    asked, optional_specs = (
        [spec for name in of for spec in parse_specs(name, declared)] for of in (names, optional)
    )
    quantisations = set(map(ideal_quantisation, (*asked, *optional_specs))) - {""}
    results = results_on_disk(runs, folder, collection)
    topics = topics_on_disk(runs, folder, collection, sorted(quantisations))
    return score_runs(runs, topics, results, asked, optional_specs, campaign=folder.name, lenient=lenient)


def compute(requested, folder, *extra_measures, **how):
    """Write all requested scores of the campaign in a folder, and its own runs under ``extra_measures``."""
    for (name, metric), measures in requested.scores.items():
        runs = requested.sets[name]
        path = folder / f"scores/{name}/{metric}.parquet"
        path.parent.mkdir(parents=True, exist_ok=True)
        more = [m for m in extra_measures if family_of(m) == metric and not runs.made_by]
        scores, left_out = scored(folder, runs, [*measures, *more], **how)
        schema.write(scores, schema.SCORES, path)
        schema.write(left_out, schema.LEFT_OUT, path.with_suffix(".left_out.parquet"))


def correlate_all(requested, folders):
    """Write all requested correlations; ``folders`` are those of the campaign and of the earlier campaign."""

    def rows(column):
        folder = folders[column.of] / "scores" / column.runs
        table = read_scores([str(folder / f"{family_of(column.measure)}.parquet")])
        return table[table["name"] == column.measure]

    for one in requested.correlations.values():
        path = folders["campaign"] / f"correlations/{one.name}.parquet"
        path.parent.mkdir(exist_ok=True)
        write_frame(correlate(one, rows), path)


def score_paths(*folders):
    """Return all files of scores in the folders of campaigns."""
    paths = [path for folder in folders for path in sorted(folder.glob("scores/*/*.parquet"))]
    return [path for path in paths if not path.stem.endswith(".left_out")]


def material(paper, context, folder, *extra_measures):
    """Return a paper's material on the campaigns in a folder, after scoring what it and ``extra_measures`` request."""
    for name, of in requests_of(paper, context).items():
        compute(of, folder / name, *extra_measures, lenient=True)
    return correlated_material(paper, context, folder)


def requests_of(paper, context):
    """Return a paper's requests by the names of its campaigns."""
    campaigns = {each.name: each for each in (context.campaign, context.earlier) if each}
    settings, papers = {paper.name: context.settings}, {paper.name: paper}
    return requests([context.campaign.name], campaigns, settings, papers, findings=context.findings)


def correlated_material(paper, context, folder):
    """Return a paper's material on campaigns in a folder with all scores, after writing its correlations."""
    settings_by_name = {"campaign": context.campaign, "earlier": context.earlier}
    folders = {of: folder / each.name for of, each in settings_by_name.items() if each}
    correlate_all(requests_of(paper, context)[context.campaign.name], folders)
    scores = score_paths(*folders.values())
    return Material(paper, context, folders["campaign"], printed(*paper.declared.printed), scores)


class TrackedQuantities(dict[str, Quantity]):
    """Named quantities that collect the requested names that are missing."""

    def __init__(self, quantities):
        super().__init__(quantities)
        self.missing = set()

    def get(self, name, otherwise=None):
        if name not in self:
            self.missing.add(name)
        return super().get(name, otherwise)


def unknown(paper, analysis, context):
    """Return the quantities that claims name but that are neither computed nor printed."""
    computed = TrackedQuantities({**paper.quantities(analysis, context), **paper.cases})
    in_print = TrackedQuantities(paper.in_print(printed(*paper.declared.printed)))
    for claim in paper.declared.findings:
        for quantities in (computed, in_print):
            claim.finding(quantities, paper.words_of(context), computed)
    return computed.missing & in_print.missing


def golden(name):
    return Path(__file__).parent / "golden" / name


def check_golden(name, frames, quantities):
    """That frames and quantities are as they were: CSV files in ``golden/NAME``, which ``REWRITE=1`` writes anew.

    Of a long frame some rows, evenly spread; of an estimate the value, its interval and the member without which it
    changes most.
    """
    nothing = (float("nan"), float("nan"), "", float("nan"))
    rows = [
        (key, value_of(each), *(each.interval + each.influential if isinstance(each, Estimate) else nothing))
        for key, each in sorted(quantities.items())
    ]
    quantity_table = pd.DataFrame(
        rows, columns=["quantity", "value", "low", "high", "influential", "without"]
    )
    folder = golden(name)
    folder.mkdir(parents=True, exist_ok=True)
    for file, frame in {**frames, "quantities": quantity_table}.items():
        some = frame if frame is quantity_table else frame.iloc[:: 1 + len(frame) // 30]
        if REWRITE:
            some.to_csv(folder / f"{file}.csv", index=False, float_format="%.9g")
        text = StringIO(some.to_csv(index=False))
        expected = pd.read_csv(folder / f"{file}.csv")
        pd.testing.assert_frame_equal(pd.read_csv(text), expected, rtol=1e-7, atol=1e-12, check_dtype=False)


def items_text(paper, analysis, context):
    """Return the texts about a paper on a campaign, and those of every table and figure."""
    lines = [paper.introduction(context)]
    for item in paper.items(context):
        lines.append(f"{type(item).__name__} {item.name}: {item.title}")
        if isinstance(item, Absent):
            lines.append(item.why)
        else:
            lines += [item.caption, *item.warn(analysis, context)]
    return "\n\n".join(line for line in lines if line) + "\n"


def figures_text(paper, items, analysis, context):
    """Return the text of a paper's figures."""
    drawn = drawings(paper.name)
    return "".join(
        f"--- {item.name}\n{figure_text(drawn[item.drawn or item.name](item, analysis, context))}"
        for item in items
        if isinstance(item, Figure)
    )


def verdicts(paper, analysis, context):
    """Return the verdict on each finding of a paper from the frames of a campaign."""
    findings, _ = paper.findings(analysis, printed(*paper.declared.printed), context)
    return {finding.name: finding.verdict for finding in findings}


def check_publication(paper, analysis, context, folder):
    """Assert that every table, figure and quantity of the claims is computed, and that nothing has changed.

    `check_golden` of the frames, of tables as people see them, and of all comparisons with the verdicts.
    """
    items = paper.items(context)
    write_tables(items, analysis, context, folder)
    draw(items, drawings(paper.name), analysis, context, folder)
    assert {*files_of(items, Table), *files_of(items, Figure)} == {path.name for path in folder.iterdir()}
    tables = {
        f"{item.name}-shown": item.for_people(item.made(analysis, context))
        for item in items
        if isinstance(item, Table) and item.show
    }
    findings = findings_table(*paper.findings(analysis, printed(*paper.declared.printed), context))
    texts = [
        "section",
        "claim",
        "computed",
        "decided_by",
        "needed",
        "here",
        "draws",
        "influential",
        "without",
    ]
    plain = {
        name: frame for name, frame in analysis.items() if "drawn" not in frame
    }  # frames without resamples
    check_golden(
        paper.name,
        {**plain, **tables, "findings": findings.drop(columns=texts)},
        paper.quantities(analysis, context),
    )
    check(items_text(paper, analysis, context), golden(paper.name) / "items.txt")
    check(figures_text(paper, items, analysis, context), golden(paper.name) / "figures.txt")
    # quantities that say why a comparison cannot fail exist only if it cannot
    flags = ("no_overlap[", "nothing_reached[")
    assert {name for name in unknown(paper, analysis, context) if not name.startswith(flags)} == set()


def check_items(items, drawn, *other_files):
    """Assert that items have titles, drawings and unique names, also among other files, and figures have captions."""
    for item in items:
        assert item.title
        if isinstance(item, Absent):
            assert item.why
        else:
            assert item.name
        if isinstance(item, Figure):
            assert item.caption and (item.drawn or item.name) in drawn, item.name
    files = [*files_of(items, Table), *files_of(items, Figure), *other_files]
    assert len(set(files)) == len(files)


def check_declaration(paper, drawn, context):
    """Assert that a declaration is complete: names, titles, captions, drawings, printed values, sets of runs."""
    assert paper.declared.title and paper.declared.campaign and paper.introduction(context)
    for name in paper.declared.printed:
        assert (ROOT / f"config/published/{name}.csv").is_file(), name
    check_items(paper.items(context), drawn, "findings.csv", "left_out.csv")
    requested = [*paper.requests(context).values()]
    first = requested[0]
    assert first.of == "campaign" and not first.runs.made_by  # the first request identifies the campaign
    for request in requested:
        assert request.runs.name and request.measures
        for name in request.measures.values():
            assert parse_specs(name, MEASURES)
    sets = {(each.of, each.runs.name): each.runs for each in requested}
    assert all(sets[each.of, each.runs.name] == each.runs for each in requested)
    of_measures = {(each.of, each.runs.name, *each.measures.values()) for each in requested}
    assert len(of_measures) == len(requested)
    assert why_not(paper, context.campaign) == ""
