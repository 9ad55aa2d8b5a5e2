"""Gövert, Fuhr, Lalmas & Kazai (2006), the INEX 2002 metric and the INEX 2003 metric: the declaration."""

from collections.abc import Mapping, Sequence

import pandas as pd

from focuseval.findings import Finding
from focuseval.present.items import Analysis
from focuseval_papers.goevert2006.analysis import (
    METRICS,
    average_precision,
    by_topic,
    correlations,
    judged,
    overlap,
    recall_precision_curves,
)
from focuseval_papers.goevert2006.evidence import SET, campaign_evidence, printed_evidence
from focuseval_papers.goevert2006.examples import EXAMPLES
from focuseval_papers.goevert2006.findings import findings
from focuseval_papers.goevert2006.items import items, section53
from focuseval_papers.goevert2006.settings import (
    EARLIER,
    LONG,
    SHORT,
    GoevertSettings,
    length,
    result_sets,
)
from focuseval_papers.publication.material import Material
from focuseval_papers.publication.paper import Context, Paper, Request, on_own_runs
from focuseval_papers.workflow.runsets import own_runs

#: the simulated runs of Section 4.1, as a set
SIMULATED = "simulated"

_OF_CAMPAIGN = (
    "The paper's numbers of elements contradict each other: 12,107 documents of 1,532 elements are 18.5 million, not 8 "
    "million (docs/errata.md)."
)


def _measures(quantisations: Sequence[str], *behind: str) -> tuple[str, ...]:
    """The paper's measures, and the same with what stands behind their names."""
    names = [measure.format(quantisation) for measure in METRICS.values() for quantisation in quantisations]
    return tuple(f"{name}{end}" for name in names for end in ("", *behind))


def asks(context: Context) -> list[Request]:
    """Every result set under every metric and quantisation, and the simulated runs with their curves."""
    names = _measures(context.settings.quantisations)
    asked = [Request(runs, names, of) for runs, of in result_sets(context).values()]
    simulated = own_runs(context.campaign).transformed(SIMULATED, "simulated_runs")
    return [*asked, Request(simulated, _measures(context.settings.quantisations, "@curve"))]


def analyse(material: Material) -> Analysis:
    """Average precision of every run, curves of the simulated runs, counts of judgements, correlations, overlap."""
    context, printed = material.context, material.printed
    quantisations = context.settings.quantisations
    sets = result_sets(context)
    average = pd.concat(
        [
            average_precision(material.scores(name, of=of), quantisations).assign(result_set=name)
            for name, (_, of) in sets.items()
        ],
        ignore_index=True,
    )
    simulated = material.scores(SIMULATED)
    own = {name: runs for name, (runs, of) in sets.items() if of == "campaign"}
    results = material.results(own_runs(context.campaign))
    overlaps = [overlap(results, int(runs.size or 0)).assign(result_set=name) for name, runs in own.items()]
    assessed = {"INEX 2003": judged(*material.judgements())}
    if context.earlier:
        assessed["INEX 2002"] = judged(*material.judgements("earlier"))
    return {
        "average_precision": average,
        "curves": recall_precision_curves(simulated, quantisations),
        "simulated": average_precision(simulated, quantisations),
        "simulated_topics": by_topic(simulated, quantisations),
        "judged": assessed["INEX 2003"],
        **({"judged_earlier": assessed["INEX 2002"]} if context.earlier else {}),
        "section53": section53(assessed, printed["goevert2006_section53"]),
        "correlations": correlations(
            average,
            quantisations,
            _campaigns(context),
            printed["goevert2006_tables2to5"],
            lambda of, runs: context.sample(f"{of} runs", runs, "runs"),
        ),
        "overlap": pd.concat(overlaps, ignore_index=True),
        "printed_judged": printed["goevert2006_table1"],
        "printed_simulated": printed["goevert2006_simulated_runs"],
    }


def _campaigns(context: Context) -> dict[str, str]:
    """Whose runs each result set has, longest first."""
    return {entry.name: entry.of for entry in context.settings.result_sets}


def both_findings(
    analysis: Analysis, printed: Mapping[str, pd.DataFrame], context: Context
) -> tuple[list[Finding], list[Finding]]:
    """The findings on a campaign's analysis, and on the printed numbers."""
    here = campaign_evidence(
        analysis["simulated_topics"],
        analysis["average_precision"],
        analysis["judged"],
        analysis["overlap"],
        analysis.get("judged_earlier"),
        quantisations=context.settings.quantisations,
        result_sets=_campaigns(context),
        sample=context.sample,
        set_shares=SET if context.campaign.synthetic else "",
    )
    there = printed_evidence(
        *(printed[f"goevert2006_{name}"] for name in ("simulated_runs", "tables2to5", "table1", "section53"))
    )
    sizes = {name: length(context, name) for name in (LONG, SHORT, EARLIER)}
    return findings(here, sizes), findings(there, sizes)


def introduction(context: Context) -> str:
    """Which runs stand for the paper's result sets."""
    sets = result_sets(context)
    whose = {"campaign": context.campaign, "earlier": context.earlier}
    roles = []
    for entry in context.settings.result_sets:
        campaign = whose[entry.of]
        known = entry.name in sets and campaign is not None
        told = f"{campaign.name} cut at {entry.size} results" if known and campaign else "not available"
        roles.append(f"{entry.name} is {told}")
    return (
        "The paper's names of result sets are kept, so that its numbers can stand beside: "
        f"{'; '.join(roles)}. Numbers differ from the printed ones because the data differ; whether the "
        "paper's findings hold on these data is checked below."
    )


PAPER = Paper(
    name="goevert2006",
    title="Gövert et al. (2006)",
    settings=GoevertSettings,
    suits=on_own_runs,  # judgements on any scale can be put on the paper's
    asks=asks,
    analyse=analyse,
    items=items,
    findings=both_findings,
    introduction=introduction,
    printed=tuple(f"goevert2006_{name}" for name in ("table1", "section53", "tables2to5", "simulated_runs")),
    campaign="INEX 2003",
    facts={
        "documents": 12_107,
        "elements": 8_000_000,
        "elements per document": 1_532,
        "mean depth of an element": 6.9,
        "assessed topics": 36,
        "judged elements": 106_997,
        "relevant elements": 26_446,
        "runs": 56,
        "results per topic and run": 1_500,
    },
    of_campaign=_OF_CAMPAIGN,
    examples=EXAMPLES,
    first=1,
)
