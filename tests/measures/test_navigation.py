"""Navigation models from files, and messages about unusable files."""

import os
from dataclasses import replace

import numpy as np
import pytest

from focuseval.errors import InputError
from focuseval.measures.navigation import reach_of_steps
from focuseval.model.judgements import Topic
from tests.measures.test_eprum import two_sections
from tests.passages import value
from tests.trees import element_list

HEADER = ("document", "from", "to", "probability")
ARTICLE, FIRST, SECOND = "/article[1]", "/article[1]/sec[1]", "/article[1]/sec[2]"


def topic_of_sections():
    """Return a topic on an article whose two sections are fully ideal."""
    topic = two_sections()
    return Topic("t", "inex2005", topic.collection, np.array([1, 2]), np.full(2, 2.0), np.ones(2), None)


def write(path, *lines):
    path.write_text("".join("\t".join(map(str, line)) + "\n" for line in lines), encoding="utf-8")
    return path


def test_probabilities_from_a_file(tmp_path):
    file = write(
        tmp_path / "go.tsv",
        HEADER,
        ("d", ARTICLE, FIRST, 0.9),
        ("d", ARTICLE, SECOND, 0.9),
    )
    topic = topic_of_sections()
    name = f"EPRUM(navigation=table,file={file})"
    # Section 5: the list (a, b, c) finds two elements with 0.81, 0.09, 0.10 at ranks 1, 2, 3
    everything = element_list(topic.collection, [0, 1, 2])
    assert value(topic, everything, f"{name}@1.0") == pytest.approx(
        2 * (0.81 + 0.09 / 2 + 0.1 / 3), abs=1e-12
    )
    assert value(topic, element_list(topic.collection, [1, 2]), name) == 1


@pytest.mark.parametrize(
    ("measure", "sure", "never"), [("EPRUM(navigation=table,file={})@1.0", 2, 2 / 3), ("SR(pairs={})", 1, 2)]
)
def test_a_rewritten_file_is_read_anew(measure, sure, never, tmp_path):
    """Of the same size and age. The article leads EPRUM to both sections at rank 1, of 2 ideal ranks, or at rank 3.

    SR counts the second section, or not, where users of the first one have seen it.
    """
    file, topic = tmp_path / "go.tsv", topic_of_sections()
    results = element_list(topic.collection, [0, 1, 2] if "EPRUM" in measure else [1, 2])
    begins = ARTICLE if "EPRUM" in measure else FIRST
    pairs = [(begins, end) for end in (FIRST, SECOND) if begins != end]
    for probability, expected in ((1.0, sure), (0.0, never), (1.0, sure)):
        write(file, HEADER, *(("d", *pair, probability) for pair in pairs))
        os.utime(file, ns=(0, 0))
        assert value(topic, results, measure.format(file)) == pytest.approx(expected)


def test_an_own_ideal_list(tmp_path):
    """Section 5: with (a, b, c) as ideal list, E[ML*] is 1.29 at recall 2, and 1.01 at recall 1."""
    go = write(
        tmp_path / "go.tsv",
        HEADER,
        ("d", ARTICLE, FIRST, 0.9),
        ("d", ARTICLE, SECOND, 0.9),
    )
    ideal = write(
        tmp_path / "ideal.tsv",
        ("topic", "rank", "document", "path"),
        ("t", 1, "d", ARTICLE),
        ("t", 2, "d", FIRST),
        ("other", 1, "d", FIRST),
        ("t", 3, "d", SECOND),
    )
    topic = topic_of_sections()
    results = element_list(topic.collection, [1, 2])
    name = f"EPRUM(navigation=table,file={go},ideal_list={ideal})"
    assert value(topic, results, f"{name}@1.0") == pytest.approx(1.29 / 2, abs=1e-12)
    assert value(topic, results, f"{name}@0.5") == pytest.approx(1.01, abs=1e-12)
    assert value(topic, results, name) == pytest.approx((1.29 / 2 + 1.01) / 2, abs=1e-12)
    assert value(topic, results, f"{name}@2") == pytest.approx(1.29 / 2, abs=1e-12)


def test_click_logs_give_the_chain_of_figure_2():
    """50% of users go from x to y and 30% to z; 80% go from y to z, and 12% from z to y."""
    steps = [(0, 1)] * 50 + [(0, 2)] * 30 + [(1, 2)] * 80 + [(2, 1)] * 12
    source, target = np.array(steps).T
    reach = reach_of_steps(np.repeat([0, 1, 2], 100), source, target)
    probabilities = {(a, b): p for a, b, p in zip(reach.source, reach.target, reach.probability, strict=True)}
    assert probabilities[0, 1] == pytest.approx(0.536, abs=1e-12)
    assert probabilities[0, 2] == pytest.approx(0.7, abs=1e-12)
    assert probabilities[0, 0] == probabilities[1, 1] == 1
    assert (1, 0) not in probabilities


def test_click_logs_agree_with_simulated_users():
    """The share of random walks through the estimated steps that reach an element."""
    rng = np.random.default_rng(0)
    n = 5
    step = rng.random((n, n)) * (rng.random((n, n)) < 0.6) + 0.05
    np.fill_diagonal(step, 0)
    step /= step.sum(axis=1, keepdims=True) * 1.4
    counts = np.rint(step * 1000).astype(int)
    source, target = np.nonzero(counts)
    reach = reach_of_steps(
        np.repeat(np.arange(n), 1000),
        np.repeat(source, counts[source, target]),
        np.repeat(target, counts[source, target]),
    )
    estimated = np.zeros((n, n))
    estimated[reach.source, reach.target] = reach.probability
    bounds = np.cumsum(counts, axis=1) / 1000
    walks = 40_000
    reached = np.zeros((n, n))
    for start in range(n):
        at = np.full(walks, start)
        seen = np.zeros((walks, n), dtype=bool)
        seen[:, start] = True
        while (at >= 0).any():
            on = np.flatnonzero(at >= 0)
            drawn = (bounds[at[on]] <= rng.random(len(on))[:, None]).sum(axis=1)
            at[on] = np.where(drawn < n, drawn, -1)
            went = on[at[on] >= 0]
            seen[went, at[went]] = True
        reached[start] = seen.mean(axis=0)
    np.testing.assert_allclose(estimated, reached, atol=5 * 0.5 / np.sqrt(walks))


def test_a_click_log_as_a_measure(tmp_path):
    """Of three users who open the article, two go to the first section, one of these to the second."""
    file = write(
        tmp_path / "log.tsv",
        ("session", "document", "path"),
        ("u1", "d", ARTICLE), ("u1", "d", FIRST), ("u1", "d", SECOND),
        ("u2", "d", ARTICLE), ("u2", "d", FIRST),
        ("u3", "d", ARTICLE),
    )  # fmt: skip
    topic = topic_of_sections()
    results = element_list(topic.collection, [0])
    # P(article ~> first) = 2/3, P(first ~> second) = 1/2, so P(article ~> second) = 1/3: both are found
    # with 2/9, one of them with 5/9. The ideal list (first, second) needs 1 + 1/2 ranks for both.
    assert value(topic, results, f"EPRUM(navigation=clicks,file={file})@1.0") == pytest.approx(1.5 * 2 / 9)
    assert value(topic, results, f"EPRUM(navigation=clicks,file={file})@1") == pytest.approx(
        5 / 9 + 1.5 * 2 / 9
    )


@pytest.mark.parametrize(("start", "end", "expected"), [(0, 5, 0.5), (5, 15, 0.0), (0, 20, 1.0)])
def test_a_passage_leads_to_elements_inside_or_around_it(start, end, expected):
    """By the ratio of lengths, the whole text leads to each section with 1/2: to one section on average."""
    score = value(topic_of_sections(), [(0, start, end)], "EPRUM(navigation=length-ratio)@1")
    assert score == pytest.approx(expected)


def test_inputs_that_navigation_models_need():
    topic = topic_of_sections()
    results = element_list(topic.collection, [0])
    partial = replace(topic.collection, complete=False, end=np.full(3, -1))
    unsized = replace(topic, collection=partial)
    for model in ("length-ratio", "distance", "tolerance-to-irrelevance"):
        with pytest.raises(InputError, match="documents="):
            value(unsized, results, f"EPRUM(navigation={model})")
    assert value(unsized, results, "EPRUM(navigation=standard)") == 0
