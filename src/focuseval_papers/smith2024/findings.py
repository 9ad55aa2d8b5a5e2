"""What the report says of chunkings, as checks on the chunkings made here, and on the printed numbers."""

import math
from collections.abc import Mapping
from dataclasses import dataclass

from focuseval.findings import Comparison, Finding
from focuseval.statistics.estimates import Quantity

#: splitters
RECURSIVE, TOKENS = "Recursive", "TokenText"

#: the sizes and overlaps of Table 1
SIZES = ((800, 400), (400, 200), (400, 0), (200, 0))

#: half a unit of the last printed digit
HALF = 0.05


@dataclass(frozen=True, eq=False)
class Evidence:
    """The numbers that findings are checked on; NaN is unknown."""

    omega: Mapping[tuple[str, int, int], Quantity]  #: Precision-Omega by splitter, size and overlap
    topics: float = math.nan
    elsewhere: float = math.nan  #: chunks of more than 1,000 characters that a search finds elsewhere
    first: float = math.nan  #: largest distance of a mean of Table 1 from the printed one
    first_deviation: float = math.nan
    second: float = math.nan  #: of Table 2
    between: float = math.nan  #: largest difference of the two printed tables on one chunking
    #: how many chunkings of Table 1, of Table 2 and of both are beside ours
    rows: tuple[int, ...] = (0, 0, 0)
    chunks: int = 0  #: of all chunkings


def findings(evidence: Evidence) -> list[Finding]:
    """The claims as checks on one body of evidence; thresholds stand in their texts."""

    def omega(splitter: str, size: int, overlap: int) -> Quantity:
        return evidence.omega.get((splitter, size, overlap), math.nan)

    return [
        Finding(
            "table-1-follows-from-the-data",
            "Table 1",
            "Table 1 gives the mean Precision-Omega of eight chunkings that need no embeddings, and its deviation.",
            "With the program's places and touching chunks, every mean and every standard deviation is within half a "
            "unit of the last printed digit.",
            [
                Comparison("largest distance of a mean", evidence.first, "≤", HALF, n=evidence.rows[0]),
                Comparison(
                    "largest distance of a deviation", evidence.first_deviation, "≤", HALF, n=evidence.rows[0]
                ),
            ],
        ),
        Finding(
            "table-2-follows-from-the-data",
            "Table 2",
            "Table 2 gives the same for chunks whose sizes are counted in cl100k tokens, as its caption says.",
            "With sizes in cl100k tokens, every mean is within half a unit of the last printed digit.",
            [Comparison("largest distance of a mean", evidence.second, "≤", HALF, n=evidence.rows[1])],
        ),
        Finding(
            "the-tables-agree",
            "Tables 1 and 2",
            "Precision-Omega is a property of a chunking: it needs no embedding model.",
            "Chunkings that both tables print have the same value in both, to half a unit of the last digit each.",
            [
                Comparison(
                    "largest difference between the tables",
                    evidence.between,
                    "≤",
                    2 * HALF,
                    n=evidence.rows[2],
                )
            ],
        ),
        Finding(
            "as-many-queries",
            "Datasets",
            "The evaluation has 474 queries.",
            "The published data hold at least 474 queries.",
            [Comparison("queries", evidence.topics, "≥", 474)],
        ),
        Finding(
            "first-occurrence-is-the-place",
            "the program",
            "Looking for a chunk by its first occurrence is no practical issue for chunks above 1,000 characters.",
            "No chunk of more than 1,000 characters is found elsewhere than it stands.",
            [Comparison("chunks found elsewhere", evidence.elsewhere, "≤", 0, n=evidence.chunks)],
        ),
        Finding(
            "recursive-above-tokentext",
            "Table 1",
            "The recursive splitter has the higher Precision-Omega at every size and overlap.",
            "Recursive is above TokenText at all four sizes and overlaps of Table 1.",
            [
                Comparison(
                    f"Recursive | TokenText, {a}/{b}", omega(RECURSIVE, a, b), ">", omega(TOKENS, a, b)
                )
                for a, b in SIZES
            ],
        ),
        Finding(
            "smaller-chunks-hold-less-else",
            "Table 1",
            "Smaller chunks have the higher Precision-Omega.",
            "Without overlap, chunks of 200 tokens are above those of 400.",
            [
                Comparison(f"{name}: 200 | 400", omega(name, 200, 0), ">", omega(name, 400, 0))
                for name in (RECURSIVE, TOKENS)
            ],
        ),
        Finding(
            "overlap-costs",
            "Table 1",
            "Overlap between chunks lowers Precision-Omega.",
            "Chunks of 400 tokens have less with an overlap of 200 than without.",
            [
                Comparison(f"{name}: overlap 200 | 0", omega(name, 400, 200), "<", omega(name, 400, 0))
                for name in (RECURSIVE, TOKENS)
            ],
        ),
    ]
