"""What the paper's numbers are called here: measures, tables, figures."""

from collections.abc import Sequence

EPRUM = "EPRUM(navigation=length-ratio,quantisation={})"

#: average precision, by how tables name it: the two metrics of Section 7, and EPRUM without navigation
AVERAGES = {
    "EPRUM": EPRUM,
    "EPRUM_standard": "EPRUM(navigation=standard,quantisation={})",
    "MAep": "MAep(quantisation={},overlap=on)",
    "iMAep": "iMAep(quantisation={},overlap=on)",
}

#: the two panels of Figure 4
CURVES = {"EPRUM": EPRUM, "EP/GR": "ep(quantisation={},overlap=on)"}

#: what "MAP of EP/GR" may be: over the ranks with a gain, or over gain-recall 0.01 … 1.00
EFFORT_PRECISION = ("MAep", "iMAep")

#: the tables of a campaign, and those of the worked examples, by the name of their files
TABLES = {
    "perturbed": "Perturbed runs",
    "correlation": "Correlation of EPRUM and EP/GR",
}
EXAMPLES = {
    "table1": "Table 1. The situations of Section 4",
    "numbers": "Every number of Sections 2 to 5",
}

#: the figures of a campaign
FIGURES = {
    "figure4": "Figure 4. EPRUM and EP/GR of perturbed runs",
    "scatter": "Average precision of submitted runs under EPRUM and EP/GR",
}

#: the decimals that tables are shown with
DECIMALS: dict[str, dict[str, int]] = {
    "perturbed": {
        **dict.fromkeys(AVERAGES, 4),
        **{f"{metric}@{level}": 3 for metric in CURVES for level in ("0.1", "0.5", "0.9")},
    },
    "correlation": {"pearson_r": 3, "printed": 2, "difference": 3, "spearman_ρ": 3},
    "table1": {"share_%": 2, "printed_%": 2, "A/ML_1": 4, "printed_1": 3, "A/ML_2": 4, "printed_2": 3},
    "numbers": {},
}


def of_perturbed(quantisation: str) -> list[str]:
    """The measures that perturbed runs are scored under."""
    curves = [f"{name}@curve" for name in CURVES.values()]
    return [name.format(quantisation) for name in (*AVERAGES.values(), *curves)]


def of_submitted(quantisations: Sequence[str]) -> list[str]:
    """The measures that submitted runs are scored under."""
    return [AVERAGES[name].format(q) for q in quantisations for name in ("EPRUM", *EFFORT_PRECISION)]
