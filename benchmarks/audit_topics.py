"""Of many random topics, those which together break measures most: `SEEDS` of ``audit_campaign.py``.

    python benchmarks/audit_topics.py [TRIED] [KEPT]

tries the topics of the seeds 0, 1, 2, … and prints how many pairs of a measure and a transformation any of them breaks,
and the seeds of the few topics that break most of these two times, or once, chosen one by one. What hardly a topic in
thousands breaks is looked for by itself, and topics that break it are chosen first.
"""

import sys
from collections import Counter
from collections.abc import Iterable, Sequence

import pandas as pd
from audit_campaign import campaign

from focuseval.auditing.audit import tried, without_passages
from focuseval.auditing.campaign import variants
from focuseval.auditing.findings import changed, scored, wrong
from focuseval.measures import MEASURES, Spec, parse_specs
from focuseval.transformations.declaration import LISTS, RUNS, Applied
from focuseval.transformations.lists import results_at

#: topics tried at once
CHUNK = 40

#: besides measures as they are audited where none is named: cut-offs within lists, and other settings
MORE = (
    *(
        "char_recall@20c",
        "IoU@3",
        "word_F1@3",
        "span_F1@0.8",
        "span_F1@1",
        "contained_F1@1",
        "gold_coverage@1",
    ),
    *("iP@0.0", "iP@0.5", "nxCG@3", "nxCG(alpha=0.5)@5", "SRP@5", "EPRUM@1.0", "EPRUM(navigation=distance)"),
    *(
        "P(relevant=touches)@3",
        "AP(relevant=touches)",
        "nDCG(relevant=touches)",
        "RR(relevant=covers)",
        "nDCG@3",
    ),
)

#: what is broken most seldom, and on how many topics it is looked for
SELDOM, AMONG = ([f"char_precision@{k}" for k in (2, 3, 5, 10)], ["swapped"]), 20_000

#: a measure and a transformation
Pair = tuple[str, str]


def specs_of(names: Iterable[str]) -> list[Spec]:
    """The measures of these names."""
    return [spec for name in names for spec in parse_specs(name, MEASURES)]


def broken(seeds: range, specs: Sequence[Spec], asked: Sequence[Applied]) -> dict[int, set[Pair]]:
    """Which pairs the topic of each seed breaks."""
    topics, runs = campaign(seeds)
    seed_of = dict(zip((topic.name for topic in topics), seeds, strict=False))
    found: dict[int, set[Pair]] = {seed: set() for seed in seeds}
    for takes_passages, results in ((True, runs), (False, without_passages(runs))):
        chosen = [spec for spec in specs if spec.measure.takes_passages(spec.parameters) == takes_passages]
        before = scored(topics, results, chosen)
        for applied in asked:
            made = applied.transform(results, topics)
            rows, names = changed(results, made)
            after = scored(topics, results_at(made, rows), chosen, average_over="run")
            for spec in chosen:
                if spec.name not in after.values or spec.name not in before.values:
                    continue
                rule = spec.measure.rule
                refused = before.breaking(rule) | after.breaking(rule) if rule else set()
                pair = pd.concat([one.values[spec.name] for one in (before, after)], axis=1, join="inner")
                pair = pair[[key in names and key not in refused for key in pair.index]].dropna()
                one, other = pair.to_numpy().T * (1 if spec.measure.higher_is_better else -1)
                amount = wrong(applied.expected(spec), other - one, pair.abs().max(axis=1).to_numpy())
                for _, topic in pair.index[amount > 0]:
                    found.get(seed_of.get(topic, -1), set()).add((spec.name, applied.name))
    return found


def main(count: int = 480, kept: int = 32) -> None:
    """Try so many topics, and print which to keep."""
    of_lists = [
        one
        for one in tried()
        if (one.transformation.over, one.transformation.changes, one.transformation.of) == (LISTS, RUNS, RUNS)
    ]
    by_seed: dict[int, set[Pair]] = {}
    for low in range(0, count, CHUNK):
        seeds = range(low, min(low + CHUNK, count))
        by_seed |= broken(seeds, specs_of([*variants(MEASURES), *MORE]), of_lists)
        print(f"{len(by_seed)} topics break {len(set().union(*by_seed.values()))} pairs", flush=True)
    seldom: set[Pair] = set()
    for low in range(count, AMONG, 5 * CHUNK):
        found = broken(range(low, low + 5 * CHUNK), specs_of(SELDOM[0]), tried(SELDOM[1]))
        by_seed |= {seed: pairs for seed, pairs in found.items() if pairs}
        seldom = seldom.union(*found.values())
    times: Counter[Pair] = Counter()
    chosen: list[int] = []
    for _ in range(kept):
        worth = {
            seed: (len(pairs & seldom - times.keys()), sum((4, 1, 0)[min(times[pair], 2)] for pair in pairs))
            for seed, pairs in by_seed.items()
        }
        best = max(sorted(by_seed.keys() - set(chosen)), key=worth.__getitem__)
        chosen.append(best)
        times.update(by_seed[best])
    of = len(set().union(*by_seed.values()))
    print(f"{kept} of them break {len(times)} of {of} pairs: SEEDS = {tuple(chosen)}")


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
