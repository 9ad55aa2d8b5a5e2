"""Budgets in tokens against a literal count; tokenizers are names, files, objects and functions."""

import random
from pathlib import Path
from types import SimpleNamespace as Object

import pytest

import focuseval
from focuseval.cli import main
from focuseval.errors import InputError, InputWarning
from focuseval.formats.tokenizers import cl100k, tokenizer_of

FILE = Path(__file__).parents[3] / "shared/data/chroma-chunking/cl100k_base.tiktoken"
TEXT = "The quick brown fox “jumps” over 𝄞 the lazy dog. Überraschung! " * 8
GOLD = [(30, 90), (200, 260)]
in_shared = pytest.mark.skipif(not FILE.exists(), reason="needs the tokenizer's file")


def spans(seed):
    draw = random.Random(seed)
    return [(start, start + draw.randint(1, 90)) for start in draw.sample(range(len(TEXT) - 90), 6)]


def lines(places):
    return [{"topic": "q", "document": "a", "start": start, "end": end} for start, end in places]


def literal(encoding, places, budget):
    """Return the recall of the first ``budget`` tokens: encode each chunk, and decode only the tokens that are read."""
    seen = set()
    for start, end in places:
        tokens = encoding.encode(TEXT[start:end], disallowed_special=())
        read = encoding.decode_bytes(tokens[:budget]).decode(errors="ignore")
        seen |= set(range(start, start + len(read)))
        budget -= min(budget, len(tokens))
    gold = {at for start, end in GOLD for at in range(start, end)}
    return len(gold & seen) / len(gold)


@in_shared
@pytest.mark.filterwarnings("ignore::focuseval.errors.InputWarning")
def test_recall_on_a_budget_of_tokens_is_a_literal_count():
    encoding = cl100k(FILE)
    budgets = (1, 7, 20, 33, 60, 90, 1000)
    for seed in range(3):
        places = spans(seed)
        expected = [literal(encoding, places, budget) for budget in budgets]
        for tokenizer in (FILE, str(FILE), encoding):
            scores = focuseval.score(
                [f"char_recall@{budget}t" for budget in budgets],
                gold=lines(GOLD),
                runs={"r": lines(places)},
                texts={"a": TEXT},
                tokenizer=tokenizer,
            )
            assert scores["value"].tolist() == expected


def test_a_function_counts_tokens_too():
    """Three words are read, `one two three` of 13 characters; the gold is `three four`."""
    text = "one two three four five"
    inputs = {"gold": [{"topic": "q", "document": "a", "start": 8, "end": 18}], "texts": {"a": text}}
    run = {"r": [{"topic": "q", "document": "a", "start": 0, "end": 23}]}
    scores = focuseval.score(["char_recall@3t", "char_recall@9t"], runs=run, tokenizer=str.split, **inputs)
    # the longest prefix with three words includes the blank after them
    assert scores["value"].tolist() == [0.6, 1.0]
    ceiling = focuseval.ceiling(
        {"c": [{"document": "a", "start": 0, "end": 23}]}, at=["3t", "2"], tokenizer=str.split, **inputs
    )
    assert (ceiling.records[-1]["recall@3t"], ceiling.records[-1]["recall@2"]) == (0.6, 1.0)
    assert "best recall at 3 tokens" in repr(ceiling)


def test_offsets_of_tokenizers_are_used():
    ofs = Object(offsets=[(0, 3), (3, 7), (8, 13)])
    tokenizer = tokenizer_of(Object(encode=lambda text, add_special_tokens: ofs, token_to_id=None))
    assert (tokenizer.count("one two three"), tokenizer.prefix("one two three", 2)) == (3, 7)


@in_shared
def test_the_command_line_takes_the_file(tmp_path, capsys):
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs/a.txt").write_text("One two three. Four five six.")
    (tmp_path / "gold.jsonl").write_text('{"topic": "q", "document": "a.txt", "start": 15, "end": 29}\n')
    (tmp_path / "run.jsonl").write_text(
        '{"topic": "q", "document": "a.txt", "start": 0, "end": 29, "score": 1}\n'
    )
    command = [
        "--gold",
        str(tmp_path / "gold.jsonl"),
        "--documents",
        str(tmp_path / "docs"),
        "--tokenizer",
        str(FILE),
    ]
    assert main(["score", *command, "--measure", "char_recall@6t", "--run", str(tmp_path / "run.jsonl")]) == 0
    # One| two| three|.| Four| five: 24 of 29 characters, 9 of 14 gold
    assert capsys.readouterr().out == f"run\ttopic\tmeasure\tvalue\nrun\tall\tchar_recall@6t\t{9 / 14}\n"
    chunks = ["--chunks", str(tmp_path / "run.jsonl"), "--at", "6t"]
    assert main(["ceiling", *command, *chunks, "--format", "csv"]) == 0
    assert f"{9 / 14}" in capsys.readouterr().out


def test_an_object_that_counts_no_tokens_is_refused():
    inputs = {"gold": lines(GOLD), "runs": {"r": lines(GOLD)}}
    with pytest.raises(InputError, match="tokenizer.* give its name or file"):
        focuseval.score("char_recall@5t", texts={"a": TEXT}, **inputs)
    with pytest.raises(InputError, match="tokenizer: the value is an int; expected the name of a tiktoken"):
        focuseval.score("char_recall@5t", texts={"a": TEXT}, tokenizer=5, **inputs)
    with pytest.raises(
        InputError, match="tokenizer: the value is 'no such'; expected the name of a tiktoken"
    ):
        focuseval.score("char_recall@5t", texts={"a": TEXT}, tokenizer="no such", **inputs)
    with pytest.raises(InputError, match="5t; to count tokens, give the documents .* and a tokenizer"):
        focuseval.ceiling({"c": lines(GOLD)}, gold=lines(GOLD), at=["5t"], texts={"a": TEXT})
    with pytest.warns(InputWarning, match="returned fewer than 500 tokens on 1 of 1 topic"):
        focuseval.score("char_recall@500t", texts={"a": TEXT}, tokenizer=str.split, **inputs)
