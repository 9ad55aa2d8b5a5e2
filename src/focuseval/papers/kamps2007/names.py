"""How the paper names its measures, tables and numbers."""

#: the paper's measures, that of the task first
MAGP, MAP = "MAgP", "MAP"

#: comparisons of systems by the name of their files: measure and heading
COMPARISONS = {
    "kamps2007-table1": (MAGP, "Table 1. Significant improvements for MAgP"),
    "kamps2007-table2": (MAP, "Table 2. Significant improvements for MAP"),
}

#: what the text and the tables print, by the names of `config/published/kamps2007.csv`
RUNS, TOPICS, PAIRS = "runs", "topics", "pairwise comparisons"
SIGNIFICANT = {MAGP: "significant pairs under MAgP", MAP: "significant pairs under MAP"}
TAU = "kendall_tau(MAP; MAgP)"
RESAMPLES, ALPHA = "bootstrap resamples", "significance level (one-tailed)"
ORDER = "MAP order of the systems labelled by MAgP rank"

#: not printed
EXCESS = "largest AgP less AP of a run on a topic"

#: the decimals that tables are shown with, where they are not text
DECIMALS = {"orders": {"MAgP": 4, "MAP": 4}}
