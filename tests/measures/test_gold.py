"""Gold for every measure: items or text, the order of its lines, repeats, and alternatives."""

from dataclasses import replace
from itertools import product

import numpy as np
import pytest

from focuseval.measures import MEASURES, parse_specs
from focuseval.model import alternatives
from tests.measures.test_claims import CUTOFFS, OF_TEXT, SPECS
from tests.passages import list_of, random_case, topic_of

#: the unit of gold passages that each measure counts; all other measures are of judged elements
COUNTS = {
    "items": "P Recall Success RR AP Rprec nDCG ERR RBP INST span_F1 contained_F1 gold_coverage any_overlap "
    "over_prediction IoU_R IoU_mAP plagdet plagdet.precision plagdet.recall plagdet.granularity PASSAGE ASPECT StRecall "
    "alpha_nDCG ERR_IA NRBP nugget_recall nugget_F tolerant_AP tolerant_P",
    "items, and text of them once": "MAiSP",
    "bins": "bin_AP bin_P",
    "units between the first gold and the last": "NDNS",
    "text": "F gP gR AgP MAgP T2I iP AiP MAiP char_precision char_recall char_F1 IoU word_precision word_recall word_F1 "
    "PASSAGE2 U TBG char_RBP",
    "documents": "MAP bpref Judged NumRet NumRel NumRelRet DOCUMENT",
    "entry points": "BEP",
}
OF_ITEMS = [name for what in list(COUNTS)[:2] for name in COUNTS[what].split()]
#: measures that depend on the order of gold passages in the file, like the original programs
BY_FILE = {"PASSAGE", "ASPECT", "span_F1", "IoU_mAP"}
RELEVANT = ("touches", "covers", "exact", "in-document")


def specs_of_items():
    """Yield specs of the measures of items, under each rule by which a result finds an item."""
    for name in OF_ITEMS:
        measure = MEASURES[name]
        by_rule = any(p.name == "relevant" for p in measure.parameters)
        settings = [f"relevant={rule}" for rule in RELEVANT] if by_rule else [""]
        # a larger tolerance would reach the next item
        settings = ["tolerance=1"] if name.startswith("tolerant") else settings
        behind = [at for cutoff in measure.cutoffs for at in CUTOFFS[cutoff.kind.name]]
        if measure.value is not None:
            behind.append("")
        for setting, at in product(settings, behind):
            yield from parse_specs(f"{name}({setting}){at}", MEASURES)


def test_every_measure_has_its_kind():
    counted = [name for names in COUNTS.values() for name in names.split()]
    assert sorted(counted) == sorted(measure.name for measure in OF_TEXT)


def inside(rng, start, end):
    low, high = sorted(rng.choice(np.arange(start, end + 1), 2, replace=False).tolist())
    return low, high


@pytest.mark.parametrize("overlap", [0, 2])
def test_moving_items_to_own_documents_changes_no_measure_of_items(overlap):
    """Items touch or overlap; results are parts of one item, or of none."""
    rng = np.random.default_rng(overlap)
    specs = [spec for spec in specs_of_items() if not overlap or spec.measure.name != "MAiSP"]
    apart = set()
    for _ in range(12):
        sizes = rng.integers(5, 9, int(rng.integers(2, 5))).tolist()
        start, close, far = 0, [], []
        for size in sizes:
            close.append((0, start, start + size))
            far.append((0, 3 * start, 3 * start + size))
            start += size - overlap
        lists = ([], [])
        for item in rng.integers(-1, len(sizes), 6).tolist():
            # only a part of the item that no other item has
            low, high = inside(rng, overlap, sizes[item] - overlap)
            whole = rng.random() < 0.4 and not overlap
            low, high = (0, sizes[item]) if whole else (low, high)
            for gold, results in zip((close, far), lists, strict=True):
                results.append((1, low, high) if item < 0 else (0, gold[item][1] + low, gold[item][1] + high))
        grades = rng.integers(1, 4, len(sizes))
        topics = [topic_of([200, 200], gold) for gold in (close, far)]
        one, other = (replace(t, spans=replace(t.spans, grade=grades)) for t in topics)
        for spec in specs:
            values = spec.value(one, list_of(lists[0])), spec.value(other, list_of(lists[1]))
            assert values[0] == pytest.approx(values[1], abs=1e-12), spec.name
        joined, judged = (
            parse_specs(f"Recall(relevant=touches,gold={g})@6", MEASURES)[0] for g in ("joined", "judged")
        )
        apart |= (
            {"joined"}
            if joined.value(one, list_of(lists[0])) != judged.value(one, list_of(lists[0]))
            else set()
        )
    assert apart  # joined items give other scores


def test_a_repeated_item_is_one_item_with_the_highest_grade():
    rng = np.random.default_rng(3)
    for _ in range(15):
        case = random_case(rng)
        topic, results = case.topic, list_of(case.passages)
        if not len(topic.spans):
            continue
        once = replace(
            topic.spans.without_repeats(), grade=rng.integers(1, 4, len(topic.spans.without_repeats()))
        )
        again = rng.integers(0, len(once), 3)
        rows = np.concatenate([np.arange(len(once)), again])
        twice = replace(once.among(rows), grade=np.concatenate([once.grade, np.ones(3, dtype=np.int64)]))
        topics = [replace(topic, spans=spans) for spans in (once, twice)]
        for spec in [spec for measure in OF_TEXT for spec in SPECS[measure.name]]:
            one, other = (spec.value(t, results) for t in topics)
            assert other == (None if one is None else pytest.approx(one, abs=1e-12)), spec.name


# -- alternatives


def grouped_cases(seed, count):
    """Yield topics with groups of gold passages, some members of which are several passages, and a list's passages."""
    rng = np.random.default_rng(seed)
    while count:
        case = random_case(rng)
        spans = case.topic.spans
        if not len(spans) or not case.passages:
            continue
        count -= 1
        group, member = (rng.integers(-1, 2, len(spans)) for _ in range(2))
        columns = {"group": group, "member": member, "grade": rng.integers(1, 4, len(spans))}
        yield rng, replace(case.topic, spans=replace(spans, **columns)), case.passages


def with_gold(topic, spans):
    return replace(topic, spans=spans, highlights=spans.text())


def choices_of(topic):
    """Yield the topic for each choice of one alternative per group, without groups."""
    spans = topic.spans
    groups = {}
    for row, (group, member) in enumerate(zip(spans.group.tolist(), spans.member.tolist(), strict=True)):
        own = ("alone", row) if member < 0 else ("member", member)
        if group >= 0:
            groups.setdefault(group, {}).setdefault(own, []).append(row)
    always = np.flatnonzero(spans.group < 0).tolist()
    for choice in product(*(of.values() for of in groups.values())):
        rows = sorted([*always, *(row for rows in choice for row in rows)])
        yield with_gold(topic, replace(spans.among(np.array(rows, dtype=np.int64)), group=None, member=None))


def literal_best(spec, topic, results):
    values = [value for chosen in choices_of(topic) if (value := spec.value(chosen, results)) is not None]
    best = max if spec.measure.higher_is_better else min
    return best(values) if values else None


def usual(measure_names=lambda name: True):
    """Return every measure of passages at all cut-offs, by default and with ``relevant=touches``."""
    return [
        spec
        for measure in OF_TEXT
        if measure_names(measure.name)
        for spec in SPECS[measure.name]
        if spec.parameters.get("relevant") in (None, "touches")
        and sum(spec.parameters[p.name] != p.default for p in measure.parameters)
        <= ("relevant" in spec.parameters)
    ]


def test_a_value_is_the_best_of_all_choices():
    several = 0
    for _, topic, passages in grouped_cases(1, 25):
        results = list_of(passages)
        for spec in usual():
            expected = literal_best(spec, topic, results)
            assert spec.value(topic, results) == expected, spec.name
        several += sum(1 for _ in choices_of(topic)) > 1
    assert several > 12


def test_the_order_of_gold_and_names_of_groups_change_nothing():
    for rng, topic, passages in grouped_cases(2, 12):
        results, spans = list_of(passages), topic.spans
        order, names = rng.permutation(len(spans)), rng.permutation(2) + 5
        mixed = spans.among(order)
        renamed = replace(mixed, group=np.where(mixed.group < 0, -1, names[mixed.group]))
        for spec in usual(lambda name: name not in BY_FILE):
            assert spec.value(with_gold(topic, renamed), results) == pytest.approx(
                spec.value(topic, results)
            ), spec.name


def test_results_below_the_cutoff_change_nothing():
    for _, topic, passages in grouped_cases(3, 12):
        results = list_of(passages)
        for spec in usual():
            if (
                spec.declared_cutoff is None
                or spec.declared_cutoff.kind.name != "rank"
                or spec.declared_cutoff.summary == "article rank"
            ):
                continue
            documents = np.cumsum(results.first_of_article)
            of_documents = spec.parameters.get("relevant") == "document" or spec.measure.name in (
                "MAP",
                "Judged",
            )
            bins = spec.measure.name.startswith("bin_")
            count = (
                int(np.searchsorted(documents, spec.cutoff, side="right"))
                if of_documents
                else int(spec.cutoff)
            )
            if not bins and count < len(results):
                assert spec.value(topic, results.first(count)) == spec.value(topic, results), spec.name


def test_one_alternative_is_as_no_group():
    for rng, topic, passages in grouped_cases(4, 8):
        results, spans = list_of(passages), topic.spans
        alone = replace(spans, group=np.arange(len(spans)) - (rng.random() < 0.5), member=None)
        together = replace(
            spans, group=np.zeros(len(spans), dtype=int), member=np.zeros(len(spans), dtype=int)
        )
        plain = with_gold(topic, replace(spans, group=None, member=None))
        for spec in usual():
            for one in (alone, together):
                assert spec.value(with_gold(topic, one), results) == spec.value(plain, results), spec.name


#: for these, a search of one group after another is as exact as comparing all choices
EXACT = (
    "Recall(relevant=touches)@3", "Success(relevant=touches)@1", "Success(relevant=covers,of=all)@10",
    "RR(relevant=exact)", "gold_coverage@0.5", "any_overlap",
)  # fmt: skip


def test_the_best_of_many_choices_is_searched_for(monkeypatch):
    """Each group has its own document, so sums and their ratios are exact; no score exceeds the best."""
    rng = np.random.default_rng(8)
    exact = [
        spec
        for name in (*EXACT, "char_recall", "char_precision", "char_F1", "IoU")
        for spec in parse_specs(name, MEASURES)
    ]
    approximate = [
        spec
        for name in ("AP(relevant=touches)", "nDCG(relevant=touches)@3", "AiP")
        for spec in parse_specs(name, MEASURES)
    ]
    reached_best = compared = 0
    for _ in range(15):
        marks, group = [], []
        for number in range(4):
            for _ in range(int(rng.integers(1, 4))):
                marks.append((number, *inside(rng, 0, 30)))
                group.append(number)
        topic = topic_of([30] * 5, marks)
        columns = {"group": np.array(group), "member": np.full(len(group), -1)}
        topic = replace(topic, spans=replace(topic.spans, **columns))
        results = list_of([(int(rng.integers(0, 5)), *inside(rng, 0, 30)) for _ in range(8)])
        monkeypatch.setattr(alternatives, "COMPARED", 1024)
        best = {spec.name: spec.value(topic, results) for spec in [*exact, *approximate]}
        monkeypatch.setattr(alternatives, "COMPARED", 1)
        for spec in exact:
            assert spec.value(topic, results) == pytest.approx(best[spec.name]), spec.name
        for spec in approximate:
            value = spec.value(topic, results)
            assert value <= best[spec.name] + 1e-12
            reached_best += value >= best[spec.name] - 1e-12
            compared += 1
    assert reached_best > 0.9 * compared
