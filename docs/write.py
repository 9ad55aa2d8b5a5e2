"""Write the tables of pages, and the schemas of configurations, from declarations and results.

    python docs/write.py
    python docs/write.py results

The first (`make docs`) writes the tables of measures.md, audit.md, campaigns.md, keys.md and reproduced.md, and the
schemas in ``config``. The second writes tables of results: in audit.md from finished audits, in evaluations.md from
the evaluations of public campaigns; and verdicts.csv, of which the first makes the tables of reproduced.md. Tables are
between lines ``<!-- NAME: WORD ... -->`` and ``<!-- NAME: end -->``. A table whose results are missing stays as it is.
"""

import json
import re
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache, partial
from itertools import compress, groupby
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import yaml

from focuseval.auditing.findings import BREAKS
from focuseval.errors import listed
from focuseval.measures import MEASURES
from focuseval.measures.declaration import BUDGETS, CLAIMS, LARGEST, AnyMeasure, Parameter, format_value
from focuseval.report.parts import Absent, Analysis, read_analysis
from focuseval.report.tables import pipe_table, to_markdown
from focuseval.transformations.declaration import Transformation
from focuseval.transformations.declared import TRANSFORMATIONS
from focuseval_papers.publication.claims import (
    CONTRADICTED,
    HOLDS,
    NOT_TESTABLE,
    TRUE,
    UNDECIDED,
    WOULD,
    Finding,
    over_draws,
    rows_of,
)
from focuseval_papers.publication.declaration import RUNS, TOPICS, Evaluation, Numbered
from focuseval_papers.publication.overview import deciding, overview
from focuseval_papers.publication.paper import NAMES, Publication, load
from focuseval_papers.publication.section import MARKS, ON_PRINT
from focuseval_papers.workflow.configuration import configuration_model, read_campaign_file

ROOT = Path(__file__).parents[1]


def with_tables(text: str, name: str, table: Callable[[Sequence[str]], str | None]) -> str:
    """The text with a table between each pair of lines ``<!-- NAME: WORD ... -->`` and ``<!-- NAME: end -->``.

    ``table`` makes it of the words; where it makes None, what is there stays.
    """

    def made(block: re.Match[str]) -> str:
        found = table(block[2].split())
        return block[0] if found is None else f"{block[1]}\n{found}\n{block[3]}"

    block = rf"(<!-- {name}: (?!end\b)(.*?) -->\n).*?(<!-- {name}: end -->)"
    return re.sub(block, made, text, flags=re.DOTALL)


# -------------------- measures.md


#: families whose text refers to another measure for parameters that both have, by their first measures
DESCRIBED_WITH = {"RBP": "P", "PRUM": "EPRUM"}
#: headings of a family's table
COLUMNS = ("measure", "value", "range", "needs", "source")
#: the sentence instead of a column in which all rows are equal, by the column's place
SHARED = {2: "Values are {}.", 3: "All need {}.", 4: "Source: {}."}


def of_measures(names: Sequence[str]) -> str:
    """The tables of some measures by their names, or of ``claims``.

    A column in which all rows are equal, such as the source, becomes a sentence below the table.
    """
    if list(names) == ["claims"]:
        return pipe_table(("property", "measures"), [(CLAIMS[claim], _claiming(claim)) for claim in CLAIMS])
    measures = [MEASURES[name] for name in names]
    rows = [_row_of_measure(measure) for measure in measures]
    shared = [place for place in SHARED if len(rows) > 1 and len({row[place] for row in rows}) == 1]
    own = [place for place in range(len(COLUMNS)) if place not in shared]
    found = pipe_table([COLUMNS[place] for place in own], [[row[place] for place in own] for row in rows])
    if shared:
        sentences = (
            SHARED[place].format(_between(rows[0][place]) if place == 2 else rows[0][place])
            for place in shared
        )
        found += f"\n{' '.join(sentences)}\n"
    if parameters := _rows_of_parameters(measures, DESCRIBED_WITH.get(names[0])):
        width = 3 if all(row[-1] == "all" for row in parameters) else 4
        headings = ("parameter", "values", "meaning", "measures")[:width]
        found += "\n" + pipe_table(headings, [row[:width] for row in parameters])
    return found


def _between(values: str) -> str:
    """Return a range as it reads in a sentence: ``at least 0`` for ``from 0``, and ``from 0 to 1`` for ``0 to 1``."""
    return values.replace("from", "at least") if values.startswith("from ") else f"from {values}"


def _claiming(claim: str) -> str:
    """The measures with a claim, or, if this is shorter, those without it."""
    have = [m.name for m in MEASURES.values() if claim in m.claims]
    others = [m.name for m in MEASURES.values() if claim not in m.claims]
    return _code(have) if len(have) <= len(others) else f"all except {_code(others)}"


def _code(texts: Iterable[str]) -> str:
    return ", ".join(f"`{text}`" for text in texts)


def _row_of_measure(measure: AnyMeasure) -> tuple[str, ...]:
    """A row of the table of measures."""
    whole = [] if measure.value is None else [""]
    forms = ("budget" if cutoff.kind in BUDGETS else cutoff.kind.form for cutoff in measure.cutoffs)
    first, *others = [*whole, *dict.fromkeys(f"@{form}" for form in forms)]
    better = "" if measure.higher_is_better else ", lower is better"
    return (
        _code([measure.name + first, *others]),
        measure.summary,
        measure.range + better,
        listed(sorted(measure.needs), last=" and "),
        measure.paper,
    )


def _rows_of_parameters(measures: Sequence[AnyMeasure], described_with: str | None) -> list[tuple[str, ...]]:
    """The rows of the table of parameters, without those that the other measure has.

    Parameters with the same description share a row.
    """
    elsewhere = {p.name for p in MEASURES[described_with].parameters} if described_with else set()
    users: dict[tuple[str, ...], set[str]] = {}
    for measure in measures:
        for parameter in measure.parameters:
            if parameter.name not in elsewhere:
                users.setdefault(_described(parameter), set()).add(measure.name)
    names = [measure.name for measure in measures]
    return [
        (*row, "all" if len(have) == len(names) else _code(name for name in names if name in have))
        for row, have in users.items()
    ]


def _described(parameter: Parameter) -> tuple[str, ...]:
    """The name, the values and the meaning of a parameter; the default is bold."""
    default = format_value(parameter.default)
    if parameter.choices:
        values = ", ".join(f"**`{c}`**" if c == default else f"`{c}`" for c in parameter.choices)
    elif parameter.reader:
        values = f"**`{default}`**, or text" if default else "text"
    else:
        values = f"**{default}**, from {parameter.low:g}"
        values += f" to {parameter.high:g}" if parameter.high < LARGEST else ""
    return f"`{parameter.name}`", values, parameter.summary


# -------------------- audit.md


def of_transformations(_: Sequence[str]) -> str:
    """A row for each transformation, with its parameters and their defaults."""
    rows = [
        (f"`{_with_defaults(one)}`", one.summary, one.expected, f"`{one.trait}`")
        for one in TRANSFORMATIONS.values()
    ]
    return pipe_table(("transformation", "change", "expected", "property"), rows)


def _with_defaults(one: Transformation) -> str:
    inside = ",".join(f"{p.name}={format_value(p.default) or '…'}" for p in one.parameters)
    return f"{one.name}({inside})" if inside else one.name


# -------------------- campaigns.md


def of_properties(names: Sequence[str]) -> str:
    """Return the table of the properties of a campaign, without those that are free and have no value."""
    declared = read_campaign_file(ROOT / f"config/campaigns/{names[0]}.yaml").properties
    rows = []
    for name, text in declared.items():
        if text != "free":
            value, colon, source = text.partition(": ")
            rows.append((name, value, source) if colon else (name, "", text))
    return pipe_table(("property", "value", "source"), rows)


# -------------------- keys.md


def of_keys(names: Sequence[str]) -> str:
    """Return the table of the keys of a configuration, or of some of its parts.

    Keys of papers have sections of their own, and long defaults are in `config/config.yaml`. The page says once that
    numbers are positive integers.
    """
    whole = schemas()["schema.json"]
    top = whole["properties"]
    parts = [top if name == "configuration" else whole["$defs"][name]["properties"] for name in names]
    owners = {declared["$ref"].rpartition("/")[2]: key for key, declared in top.items() if "$ref" in declared}
    headings = [] if len(names) == 1 else [f"`{owners[name]}`" for name in names]
    rows = []
    for key, declared in {key: declared for part in parts for key, declared in part.items()}.items():
        if not declared["description"].startswith("settings:"):
            described = re.sub(", a (positive|non-negative) integer", "", declared["description"])
            described = described.replace(", an integer of at least ", ", at least ")
            defaults = ["" if part is top else _default(part.get(key, {}).get("default")) for part in parts]
            default = f"; default {defaults[0]}" if len(names) == 1 and defaults[0] else ""
            what, semicolon, rest = described.partition(";")
            choices = _choices(declared, described) + semicolon
            rows.append((f"`{key}`", what + choices + rest + default, *(defaults if headings else [])))
    return pipe_table(("key", "value", *headings), rows)


#: the page lists at most so many choices; it has tables of all formats
_MOST_CHOICES = 7


def _choices(declared: Mapping[str, Any], described: str) -> str:
    """Return the choices of a key, after a colon; "" if there are none, too many, or if the description has them."""
    options = [declared, *declared.get("anyOf", ())]
    options += [option["items"] for option in options if "items" in option]
    choices: list[str] = next((option["enum"] for option in options if "enum" in option), [])
    is_shown = len(choices) <= _MOST_CHOICES and not all(choice in described for choice in choices)
    return f": {_code(choices)}" if is_shown else ""


def _default(value: Any) -> str:
    """Return a default as a cell."""
    written = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    text = "" if value in (None, [], {}) else f"`{written}`"
    return text if len(text) < 70 else "as in `config/config.yaml`"


# -------------------- reproduced.md


_HEADINGS = {
    "Eq.": "Equations",
    "Definition": "Definitions and theorems",
    "Hypothesis": "Definitions and theorems",
    "Theorem": "Definitions and theorems",
    "Example": "Examples",
    "Table": "Tables and figures",
    "Figure": "Tables and figures",
    "Section": "Numbers and procedures of the text",
}

#: what would decide a claim on which campaigns contradict each other
_CONTRARY = "none: the default and the deciding campaigns contradict each other"

#: the verdicts on campaigns, which take from minutes to hours to compute
VERDICTS = ROOT / "docs/verdicts.csv"
OF_VERDICTS = ["configuration", "campaign", "publication", "finding", "verdict", "draws", "needed"]

#: the configurations with verdicts, by what the page calls their campaigns
CONFIGURATIONS = {"default": "config.yaml", "deciding": "deciding.yaml"}


def verdicts_of(results: Path) -> str:
    """The file of verdicts, with those of the campaigns that are among the results in the place of theirs."""
    tables = [pd.read_csv(VERDICTS, keep_default_na=False)]
    for name, file in CONFIGURATIONS.items():
        entries = yaml.safe_load((ROOT / "config" / file).read_text(encoding="utf-8"))["campaigns"]
        for campaign in (one if isinstance(one, str) else one["name"] for one in entries):
            for path in sorted(results.glob(f"{campaign}/*/findings.csv")):
                about = {"configuration": name, "campaign": campaign, "publication": path.parent.name}
                table = pd.read_csv(path, keep_default_na=False).drop_duplicates("finding")
                over = (table["verdict"] + ": " + table["draws"]).where(table["draws"] != "", "")
                tables.append(table.assign(**about, verdict=table["here"], draws=over)[OF_VERDICTS])
    together = pd.concat(tables).drop_duplicates(["campaign", "publication", "finding"], keep="last")
    together["configuration"] = pd.Categorical(together["configuration"], list(CONFIGURATIONS))
    order = ["configuration", "campaign", "publication"]
    return together.sort_values(order, kind="stable").to_csv(index=False, lineterminator="\n")


def of_papers(words: Sequence[str]) -> str:
    """Return a table of reproduced.md (``verdicts``, ``contradicted``, ``undecided``), or sections (``papers``)."""
    verdicts = pd.read_csv(VERDICTS, keep_default_na=False)
    if words == ["papers"]:
        papers = (load(name) for name in NAMES)
        return "\n".join(
            section(paper, rows_of(verdicts, publication=paper.name))
            for paper in papers
            if paper.declared.numbered
        )
    tables = {
        "verdicts": counts_of_verdicts,
        "contradicted": contradicted_claims,
        "undecided": undecided_claims,
    }
    return tables[words[0]](verdicts)


def counts_of_verdicts(verdicts: pd.DataFrame) -> str:
    """Return the table of the numbers of claims with each verdict, by campaigns."""
    drawn = verdicts["draws"].str.partition(":")[0]
    tables = {
        **{name: rows_of(verdicts, configuration=name) for name in CONFIGURATIONS},
        "default, over draws": verdicts.assign(verdict=drawn)[drawn != ""],
        "default and deciding together": of_all_campaigns(verdicts),
    }
    counts = {name: table["verdict"].value_counts() for name, table in tables.items()}
    rows = [
        (name, f"{count.sum()}", *(f"{count.get(word, 0)}" for word in MARKS))
        for name, count in counts.items()
        if len(count)
    ]
    return pipe_table(("campaigns", "claims", *MARKS), rows)


def contradicted_claims(verdicts: pd.DataFrame) -> str:
    """Return the table of contradicted claims, by what the printed numbers say."""
    contradicted = rows_of(of_all_campaigns(verdicts), verdict=CONTRADICTED)
    claims = contradicted[["publication", "finding"]].to_numpy()
    supported = np.array([_is_true_in_print(*claim) for claim in claims], dtype=bool)
    rows = [
        (print_says, _code(contradicted["finding"][which]) or "none")
        for print_says, which in (("support the claim", supported), ("are undecided or missing", ~supported))
    ]
    return pipe_table(("printed numbers", "contradicted claims"), rows)


def undecided_claims(verdicts: pd.DataFrame) -> str:
    """Return the table of what would decide the undecided claims on the last campaign."""
    undecided = rows_of(of_all_campaigns(verdicts), verdict=UNDECIDED)[["publication", "finding"]]
    last = verdicts.drop_duplicates(["publication", "finding"], keep="last").merge(undecided)
    needed, verdict_of = [], {would: verdict for verdict, would in WOULD.items()}
    for row in last.itertuples():
        sample = re.fullmatch(r"(.*), and the claim (would .*?) \((.*)\)", row.needed)
        number, would, comparison = sample.groups() if sample else (row.needed or _CONTRARY, "", "")
        cells = number, verdict_of.get(would, ""), comparison
        needed.append((load(row.publication).declared.title, f"`{row.finding}`", *cells))
    return _table(("paper", "finding", "sample needed", "expected verdict", "decisive comparison"), needed)


@cache
def _printed_findings(publication: str) -> list[Finding]:
    """Return the findings of a publication on its printed numbers."""
    paper = load(publication)
    tables = {file: pd.read_csv(ROOT / f"config/published/{file}.csv") for file in paper.declared.printed}
    return list(paper.claims(tables))


def _is_true_in_print(publication: str, finding: str) -> bool:
    """Return whether the printed numbers support a claim."""
    verdicts = {each.name: each.verdict for each in _printed_findings(publication)}
    return verdicts.get(finding) in (HOLDS, TRUE)


def of_all_campaigns(verdicts: pd.DataFrame) -> pd.DataFrame:
    """Columns publication, finding and verdict: that of all campaigns together, over draws where there are any."""
    drawn = verdicts["draws"].str.partition(":")[0]
    over_draws = verdicts.assign(verdict=verdicts["verdict"].where(drawn == "", drawn))
    by_claim = over_draws.groupby(["publication", "finding"], sort=False)
    return by_claim["verdict"].agg(decided).reset_index()


def decided(verdicts: Sequence[str]) -> str:
    """Return the verdict of several campaigns: of the last that decides, or undecided if they contradict each other."""
    known = [verdict for verdict in verdicts if verdict not in (UNDECIDED, NOT_TESTABLE)]
    if not known:
        return UNDECIDED if UNDECIDED in list(verdicts) else NOT_TESTABLE
    return over_draws(known[-1], [known[-1], *known])


def section(paper: Publication, verdicts: pd.DataFrame) -> str:
    """The part of the page on one publication, with its rows of the file of verdicts."""
    counts = of_all_campaigns(verdicts)["verdict"].value_counts()
    numbers = listed([f"{verdict} {counts[verdict]}" for verdict in MARKS if verdict in counts])
    summary = f"Verdicts on {len(paper.declared.findings)} claims (default and deciding campaigns together): {numbers}."
    parts = [f"## {paper.declared.title}\n", f"{summary}\n"]
    for heading, items in groupby(
        _in_order(paper.declared.numbered), lambda item: _HEADINGS[item.item.split()[0]]
    ):
        table = _table(ITEM_COLUMNS, [item_row(item, paper) for item in items])
        parts.append(f"### {heading}\n\n{table}")
    found = []
    thresholds: dict[tuple[str, ...], list[str]] = {}
    for each, claim in zip(_printed_findings(paper.name), paper.declared.findings, strict=True):
        rows = rows_of(verdicts, finding=each.name).set_index("configuration")
        of_campaigns = " → ".join(dict.fromkeys(rows["verdict"].reindex(list(CONFIGURATIONS)).dropna()))
        about = each.section, each.claim, f"`{each.name}`", ON_PRINT[each.verdict]
        found.append(
            (*about, of_campaigns, _shown_draws(rows["draws"].get("default", ""), rows["verdict"]["default"]))
        )
        for bound, source, contradicted in dict.fromkeys(claim.thresholds):
            chosen_by, _, reason = source.partition(": ")
            cells = f"`{bound}`", chosen_by, reason.removesuffix("."), contradicted
            thresholds.setdefault(cells, []).append(each.name)
    columns = ("section", "claim", "finding", "printed numbers", "campaigns", "draws")
    parts.append(f"### Findings\n\n{_table(columns, found)}")
    rows_of_thresholds = [(_code(names), *cells) for cells, names in thresholds.items()]
    if thresholds:
        parts.append(f"### Thresholds\n\n{_table(THRESHOLD_COLUMNS, rows_of_thresholds)}")
    return "\n".join(parts)


def _shown_draws(draws: str, default: str) -> str:
    """Return the verdict over draws with its counts: ``holds (all 10)``, ``holds 8, undecided 2``.

    If all draws have the verdict of the default campaigns, the verdict is left out: ``all 10``.
    """
    verdict, _, counts = draws.partition(": ")
    counts, _, total = counts.rpartition(" of ")
    if counts == f"{verdict} {total}":
        return f"all {total}" if verdict == default else f"{verdict} (all {total})"
    return counts if counts.startswith(verdict) else f"{verdict} ({counts})"


def _table(columns: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """Return a table without the columns that are empty in every row."""
    filled = [any(cells) for cells in zip(*rows, strict=True)]
    return pipe_table([*compress(columns, filled)], [[*compress(row, filled)] for row in rows])


def _in_order(numbered: Sequence[Numbered]) -> list[Numbered]:
    """Items of one heading together, headings and items in the order in which they come."""
    headings = list(dict.fromkeys(_HEADINGS.values()))
    return sorted(numbered, key=lambda item: headings.index(_HEADINGS[item.item.split()[0]]))


def module_named(name: str) -> str:
    """The whole name of a module: one of the library is named without ``focuseval``, of the reproductions with all."""
    return name if name.startswith("focuseval_papers.") else f"focuseval.{name}"


#: the test of all results of a paper, which the page mentions once
_SNAPSHOT_TEST = "test_analysis_and_verdicts_are_as_they_were"

THRESHOLD_COLUMNS = ("finding", "threshold", "chosen by", "reason", "contradicted by")
ITEM_COLUMNS = ("item", "content", "code", "table or figure", "test", "remark")


def item_row(item: Numbered, paper: Publication) -> tuple[str, ...]:
    """Return the cells of an item, `ITEM_COLUMNS`, with links relative to ``docs``."""
    examples = {shown.name for shown in paper.examples if not isinstance(shown, Absent)}
    shown = ", ".join(f"`{name}`" for name in item.shown)
    if shown and set(item.shown) <= examples:
        shown += " (example)"
    tests = (test.partition("::") for test in item.tests)
    test_links = ", ".join(
        f"[`{name}`](../tests/{path})" for path, _, name in tests if name != _SNAPSHOT_TEST
    )
    return item.item, item.what, ", ".join(map(_link, item.code)), shown, test_links, item.note


def _link(code: str) -> str:
    module, _, name = code.partition(":")
    path = f"../src/{module_named(module).replace('.', '/')}.py"
    label = ".".join(filter(None, [module.removeprefix("focuseval_papers."), name]))
    return f"[`{label}`]({path})"


# -------------------- audit.md, of results


#: breaches that are named; of others there is the number
_NAMED = 3


def of_audit(results: Path, words: Sequence[str]) -> str | None:
    """Return the table of the audit of a campaign, the first word, for some measures, the others.

    Columns measure; kept, the properties that it has, as in ``17 of 20``; breaks, the transformations with the per cent
    of lists, the worst first; power, the share of pairs of systems at .05 (randomisation test); tau between
    halves of the topics.
    """
    campaign, *measures = words
    folder = results / "audit" / campaign
    if not folder.is_dir():
        return None
    analysis = read_analysis(folder / "analysis")
    findings = analysis["findings"].set_index("measure")
    chosen = pd.read_csv(folder / "chosen_by.csv").set_index("measure").loc[measures]
    breaks = []
    for measure in measures:
        broken = findings.loc[[measure]]
        broken = broken[broken["verdict"] == BREAKS]
        share = 100 * broken["broken"] / np.maximum(broken["tried"], 1)
        worst = [
            f"{name} ({percent:.0f} %)" if percent >= 1 else f"{name} (<1 %)"
            for percent, name in sorted(zip(share, broken["transformation"], strict=True), reverse=True)
        ]
        more = [f"{len(worst) - _NAMED} more"] if len(worst) > _NAMED else []
        breaks.append(", ".join(worst[:_NAMED] + more) or "nothing")
    table = pd.DataFrame(
        {
            "measure": [f"`{measure}`" for measure in measures],
            "kept": [f"{row.not_broken} of {row.properties}" for row in chosen.itertuples()],
            "breaks": breaks,
            "power": chosen["told_apart_randomisation"].to_numpy(),
            "tau": chosen["tau"].to_numpy(),
        }
    )
    return to_markdown(table, {"power": 2, "tau": 2})


# -------------------- evaluations.md

#: number of systems shown of each order
FIRST = 3


def of_evaluations(results: Path, words: Sequence[str]) -> str | None:
    """The part on a publication and a campaign, or the table of ``all``."""
    if words == ["all"]:
        asked = [name for name in NAMES if load(name).declared.evaluation]
        found = {name: [*results.glob(f"*/{name}/analysis")] for name in asked}
        every = ((load(name), read_analysis(one)) for name, of in found.items() for one in of)
        return to_markdown(overview(every), {}) if all(found.values()) else None
    name, campaign = words
    folder, declared = results / campaign / name / "analysis", load(name).declared.evaluation
    return "\n".join(paragraphs(declared, read_analysis(folder))) if declared and folder.is_dir() else None


def paragraphs(asked: Evaluation, analysis: Analysis) -> Iterator[str]:
    """Describe why both rankings differ: the cause, the first systems, the clearest topics, and the audit."""
    yield f"{asked.cause}\n\n{asked.kind} {asked.advice}\n"
    orders, both = analysis["orders"], (asked.official, asked.corrected)
    first = orders[(orders[["official_rank", "corrected_rank"]] <= FIRST).any(axis=1)]
    systems = [
        (
            one.run,
            f"{one.official:.4f}",
            f"{one.official_rank}",
            f"{one.corrected:.4f}",
            f"{one.corrected_rank}",
        )
        for one in first.itertuples()
    ]
    columns = ("system", both[0], "rank", both[1], "rank")
    table = pipe_table(columns, systems)
    yield f"These systems are among the top {FIRST} by either measure:\n\n{table}"
    topics = [
        (one.topic, one.run, f"{one.official:.2f}", f"{one.corrected:.2f}")
        for one in analysis["opposed"].itertuples()
    ]
    if topics:
        table = pipe_table(("topic", "system", *both), topics)
        yield f"The measures disagree most on these topics:\n\n{table}"
    broken = deciding(asked, analysis["findings"])
    if len(broken):
        rows = [
            (one.property, f"`{one.transformation}`", f"{one.broken} of {one.tried}")
            for one in broken.itertuples()
        ]
        yield (
            f"In `focuseval audit` (up to {RUNS} runs and {TOPICS} topics), {both[0]} breaks these properties, and "
            f"{both[1]} does not:\n\n{pipe_table(('broken property', 'transformation', 'cases'), rows)}"
        )
    for one in broken.head(1).itertuples():
        yield f"This is the smallest example in which {both[0]} breaks `{one.property}`:\n\n```text\n{one.example}```\n"


# -------------------- schemas


def schemas() -> dict[str, dict[str, Any]]:
    """JSON schemas by the name of their file, which editors check and complete configurations with.

    ``schema.json`` is that of a configuration, ``campaign.schema.json`` that of a campaign's file: a campaign that
    needs no name, since the file has one.
    """
    papers = {name: load(name).settings for name in NAMES}
    whole = configuration_model(papers).model_json_schema()
    campaign = whole["$defs"]["CampaignSettings"]
    campaign["properties"]["papers"]["anyOf"][0]["items"]["enum"] = list(papers)
    written_out = whole["properties"]["campaigns"]["items"]["anyOf"][1]
    written_out["required"] = campaign.pop("required")
    dialect = {"$schema": "https://json-schema.org/draft/2020-12/schema"}
    of_file = dialect | {"$ref": "schema.json#/$defs/CampaignSettings"}
    return {"schema.json": dialect | whole, "campaign.schema.json": of_file}


# -------------------- all of them


def page(name: str, tables: str, made: Callable[[Sequence[str]], str | None]) -> dict[Path, str]:
    """A page of this folder with its ``tables`` made anew."""
    path = ROOT / "docs" / name
    return {path: with_tables(path.read_text(encoding="utf-8"), tables, made)}


def declared() -> dict[Path, str]:
    """By file, what is written from declarations."""
    return {
        **page("measures.md", "measures", of_measures),
        **page("audit.md", "transformations", of_transformations),
        **page("campaigns.md", "properties", of_properties),
        **page("keys.md", "keys", of_keys),
        **page("reproduced.md", "reproduced", of_papers),
        **{
            ROOT / "config" / name: json.dumps(schema, indent=1, ensure_ascii=False) + "\n"
            for name, schema in schemas().items()
        },
    }


def found(results: Path) -> dict[Path, str]:
    """By file, what is written from results."""
    return {
        **page("audit.md", "audited", partial(of_audit, results)),
        **page("evaluations.md", "evaluated", partial(of_evaluations, results)),
        VERDICTS: verdicts_of(results),
    }


if __name__ == "__main__":
    for path, text in (found(Path(sys.argv[1])) if sys.argv[1:] else declared()).items():
        path.write_text(text, encoding="utf-8")
