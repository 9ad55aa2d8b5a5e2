"""Which systems of a campaign differ under one measure: tables, the triangular matrix, intervals."""

from pathlib import Path

import pandas as pd
from job import job

from focuseval.present.comparisons import significance_latex, significance_text
from focuseval.present.figures import intervals, save_figure, significance_matrix
from focuseval.present.tables import write_table
from focuseval.statistics.comparisons import best_systems, compare
from focuseval.statistics.significance import score_table

with job(snakemake):
    asked = snakemake.params.asked
    scores = pd.concat(map(pd.read_parquet, snakemake.input.scores))
    ranked_by = score_table(scores, asked["ranked_by"] or asked["measure"])
    compared = compare(
        score_table(scores, asked["measure"]),
        best_systems(ranked_by, asked["top"]),
        alpha=asked["alpha"],
        resamples=asked["resamples"],
        seed=asked["seed"],
        correct=asked["correction"] == "holm",
    )
    found, systems, out = compared.found[asked["test"]], compared.systems, snakemake.output
    for name, table in {
        "systems": systems,
        "counts": compared.counts().assign(topics=compared.topics),
        "pairs": compared.pairs(),
    }.items():
        for path in map(Path, out[name] if name == "systems" else [out[name]]):
            write_table(table, path, dict.fromkeys(("mean", "low", "high"), 4))
    Path(out.text).write_text(significance_text(found, compared.labels), encoding="utf-8")
    Path(out.latex).write_text(significance_latex(found, compared.labels), encoding="utf-8")
    title = f"Significant improvements under {asked['measure']}"
    matrix = significance_matrix(found.significant, compared.labels, title)
    drawn = intervals(
        *(systems[column].to_numpy() for column in ("low", "mean", "high")),
        # figure spaces are as wide as digits
        [
            f"{run}   {label:\N{FIGURE SPACE}>3}"
            for run, label in zip(systems["run"], compared.labels, strict=True)
        ],
        f"{asked['measure']}, mean over {compared.topics} topics, 95 % interval",
    )
    for figure, paths in ((matrix, out.matrix), (drawn, out.intervals)):
        for path in map(Path, paths):
            save_figure(figure, path)
