"""The schema of ``publication.yaml``, which declares the claims, tables, figures and numbered items of a publication.

`docs/adding.md` shows an example. Unknown keys are refused.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cache, partial
from pathlib import Path
from typing import Annotated, Any, Self

import pandas as pd

from focuseval.errors import Problem, extra
from focuseval.report.comparisons import comparison_items
from focuseval.report.parts import Absent, Analysis, Figure, Item, Table, nothing
from focuseval_papers.publication.claims import (
    Claim,
    Expression,
    Quantities,
    Words,
    evaluate,
    filled,
    loops,
    rows_of,
)
from focuseval_papers.publication.estimates import value_of
from focuseval_papers.publication.printed import InPrint
from focuseval_papers.publication.request_settings import OWN, PaperCorrelations, ScoreSettings
from focuseval_papers.report.tables import degenerate, matrix
from focuseval_papers.workflow.settings import Settings, refused, validated

with extra("workflow"):
    import yaml
    from pydantic import Field, model_validator


#: the file with the declarations that all evaluations share
EVALUATIONS = Path(__file__).with_name("evaluation.yaml")


class Suits(Settings):
    """The conditions that a campaign must meet so that a publication can be computed on it."""

    importer: str = Field(default="", description="the importer of suitable campaigns")
    because: str = Field(default="", description="why only this importer is suitable")
    scales: list[str] = Field(default=[], description="the suitable scales of assessments")
    task: str = Field(default="", description="the task of the runs")
    own_runs: bool = False
    """whether the campaign needs runs of its own, in addition to its tasks"""
    tasks: list[str] = Field(default=[], description="tasks of INEX 2005, one of which is required")


class Matrix(Settings):
    """The arguments of `focuseval_papers.report.tables.matrix`, which rearranges a frame as a table for readers."""

    rows: list[str]
    columns: str
    values: dict[str, str] = Field(description="columns of numbers, by the words that precede them")
    decimals: int
    beside: bool = Field(default=False, description="whether the numbers of a cell are next to each other")


class Rankings(Settings):
    """A warning about rankings that have few runs or many ties (`focuseval_papers.report.tables.degenerate`)."""

    frame: str
    keys: list[str] = Field(description="the columns that identify a ranking")
    value: str = "value"


class Series(Settings):
    """One series of points in a panel of `Dots`: the columns of the points' positions and of their whiskers' limits."""

    value: str
    low: str = ""
    high: str = ""
    label: str = ""
    mark: str = "o"
    where: dict[str, Any] = Field(default={})
    """values of columns; only rows with these values are drawn"""


class DotsPanel(Settings):
    """One panel of a figure of the kind `Dots`."""

    title: str = Field(default="", description="a title, which can name columns of `each` in braces")
    x_label: str
    frame: str = Field(default="", description="the frame of the panel; by default, the frame of the figure")
    where: dict[str, Any] = Field(default={}, description="values of columns that its rows have")
    series: list[Series]
    guide: str | float | None = None
    """the position of a line: a number, or a column (its first value)"""
    from_zero: bool = False


class Dots(Settings):
    """A figure with a line for each row of a frame, on which each series has a point with whiskers."""

    rows: str = Field(description="the name of a row, with its columns in braces")
    panels: list[DotsPanel]
    each: list[str] = Field(default=[])
    """columns; each combination of their values has a panel with its own scale, four in a row"""
    apart: bool = Field(default=False, description="whether the series of a row are below each other")
    span: bool = False
    """whether a line connects the lowest and the highest point of a row"""
    percent: bool = Field(default=False, description="whether numbers are shares")


class Scatter(Settings):
    """Scatter plots of two measures, with one plot and regression line for each value of the column ``panel``."""

    where: dict[str, Any] = Field(default={}, description="values of columns that its rows have")
    panel: str = "panel"
    x: str = "x"
    y: str = "y"
    x_label: str = Field(description="a text, or the column with the text for each panel")
    y_label: str = Field(description="a text, or the column with the text for each panel")
    of: str = Field(default="run", description="the meaning of a point")


class Curves(Settings):
    """Line charts, one for each value of the column ``panel``; ``low`` and ``high`` are columns with bands' limits."""

    where: dict[str, Any] = Field(default={}, description="values of columns that its rows have")
    panel: str = "panel"
    line: str = "line"
    x: str = "recall"
    y: str = "precision"
    low: str = ""
    high: str = ""
    x_label: str = "recall"
    y_label: str = "precision"
    shaded: str = Field(default="", description="the heading of one legend for lines from light to dark")


class HeatMap(Settings):
    """Heat maps, with one map for each value of the column ``panel``."""

    panel: str = "panel"
    row: str = "row"
    column: str = "column"
    value: str = "value"
    label: str = Field(description="the meaning of the numbers")
    x_label: str = ""
    limits: list[float] | None = None
    """the lowest and the highest value; omitted for correlations"""


class Side(Settings):
    """One side of a slope figure: the columns with its numbers, their limits and their ranks."""

    value: str
    low: str
    high: str
    rank: str
    label: str


class Slopes(Settings):
    """A figure that compares systems under two measures: a line connects the two values of each system.

    The axes go from 0 to the highest limit.
    """

    panel: str
    name: str = "run"
    left: Side
    right: Side
    most: int = Field(default=16, description="the number of systems to draw from the top of each side")


class Compared(Settings):
    """A comparison of systems: the matrix of significant improvements, means with intervals, and a table of all pairs.

    The comparison's items are made from frames whose names begin with its name
    (`focuseval.report.comparisons.comparison_items`). The publication's words must include the settings of the
    significance test.
    """

    name: str
    measure: str
    ranked_by: str = Field(description="the measure whose ranks name the systems")


#: the kinds of figures; each is a key in the declaration of a figure
KINDS = ("dots", "scatter", "curves", "heat_map", "slopes", "drawn")


class ShownItem(Settings):
    """A table, a figure, a comparison, or the reason why an item is missing.

    Names in braces in the texts are replaced with the publication's words.
    """

    table: str = Field(default="", description="the name of a table and its files")
    figure: str = Field(default="", description="the name of a figure and its files")
    absent: str = ""
    """the title of an item that cannot be computed; `caption` explains why"""
    comparison: Compared | None = None
    """the tables and figures of a comparison; `caption` is added to the first caption"""
    title: str = ""
    caption: str = ""
    caption_if: dict[str, str] = Field(default={})
    """texts to add to the caption, each by the word that must be true"""
    over: dict[str, str] = Field(default={}, alias="for")
    """lists of words; the item is repeated for each member"""
    only_if: str = Field(default="", alias="if", description="a word; if it is false, the item is omitted")
    otherwise: str = Field(default="", description="a text to show instead of an omitted item")
    frame: str = ""
    """the frame of the item; by default, the frame of the same name"""
    where: dict[str, Any] = Field(default={})
    """values of columns; only rows with these values are shown, without the columns"""
    decimals: dict[int | str, list[str]] = Field(default={}, description="columns, by number of decimals")
    show: str = Field(default="", description="the function that turns a table into its printed form")
    matrix: Matrix | None = None
    csv_only: list[str] = Field(default=[], description="columns that only the CSV file contains")
    warn: Rankings | None = None
    beside: list[str] = Field(default=[], description="further files of a figure")
    dots: Dots | None = None
    scatter: Scatter | None = None
    curves: Curves | None = None
    heat_map: HeatMap | None = None
    slopes: Slopes | None = None
    drawn: str = ""
    """the entry of `DRAWN` in the module `drawings` that draws a figure"""

    @model_validator(mode="after")
    def _one_thing(self) -> Self:
        if sum(map(bool, (self.table, self.figure, self.absent, self.comparison))) != 1:
            things = "expected one of `table`, `figure`, `comparison` and `absent`"
            raise refused([Problem("", "", "the item has none or several of the four keys", things)])
        if sum(bool(getattr(self, kind)) for kind in KINDS) != bool(self.figure):
            kinds = f"expected one of {', '.join(KINDS)} for a figure, and none for other items"
            raise refused([Problem("", "", "the item has no kind of figure, or several", kinds)])
        return self

    def items(self, words: Words, shows: Mapping[str, Any]) -> Iterator[Item]:
        """Yield the tables, figures and other items for the report, with ``words`` filled into their texts.

        ``shows`` contains the functions to which the key ``show`` of a table can refer, by name.
        """
        for loop in loops(self.over, words):
            if self.comparison:
                yield from self._compared(self.comparison, loop)
            elif not self.only_if or loop[self.only_if]:
                yield self._item(loop, shows)
            elif self.otherwise:
                yield Absent(filled(self.title, loop), filled(self.otherwise, loop))

    def _compared(self, declared: Compared, words: Words) -> list[Item]:
        about = f"{declared.name}_", filled(self.title, words), declared.measure, declared.ranked_by
        matrix, *others = comparison_items(*about, words)
        assert isinstance(matrix, Figure)
        return [replace(matrix, caption=f"{matrix.caption} {filled(self.caption, words)}".rstrip()), *others]

    def _item(self, words: Words, shows: Mapping[str, Any]) -> Item:
        caption = filled(
            self.caption + "".join(text for word, text in self.caption_if.items() if words[word]), words
        )
        if self.absent:
            return Absent(filled(self.absent, words), caption)
        of_both: dict[str, Any] = {
            "name": filled(self.table or self.figure, words),
            "title": filled(self.title, words),
            "caption": caption,
            "warn": nothing if self.warn is None else partial(_warnings, self.warn),
        }
        if self.figure:
            return Figure(**of_both, drawn=self.drawn or self.figure, beside=self.beside)
        show = (
            shows[self.show]
            if self.show
            else partial(matrix, **self.matrix.model_dump())
            if self.matrix
            else partial(pd.DataFrame.drop, columns=self.csv_only)
            if self.csv_only
            else None
        )
        return Table(
            **of_both,
            make=partial(_part, self.frame, self.where) if self.where else self.frame,
            decimals={column: digits for digits, columns in self.decimals.items() for column in columns},
            show=show,
        )


def _part(frame: str, where: Mapping[str, Any], analysis: Analysis, context: Any) -> pd.DataFrame:
    return rows_of(analysis[frame], **where).drop(columns=list(where)).reset_index(drop=True)


def _warnings(rankings: Rankings, analysis: Analysis, context: Any) -> Sequence[str]:
    return degenerate(analysis[rankings.frame], rankings.keys, rankings.value)


class PrintedNumber(Settings):
    """A number that a paper prints, and the formula that recomputes it."""

    printed: str = Field(default="", description="the printed number; empty if there is only a formula")
    formula: Expression = Field(description="a formula of the quantities of the worked examples")
    decimals: int = Field(default=0, description="the decimals of the computed number, if none is printed")
    why: str = ""
    """the reason for a difference, or the basis of the computed number"""


class Worked(Settings):
    """Worked examples of a paper, which require no campaign."""

    introduction: str
    shown: list[ShownItem]


class WorkedCase(Settings):
    """A small document, and result lists of its elements to score.

    Claims refer to these scores as ``case[NAME, LIST, MEASURE]``.
    """

    xml: str
    scale: str = "inex2005"
    judged: dict[str, Annotated[list[float], Field(min_length=2, max_length=2)]]
    """exhaustivity and specificity of elements, by path"""
    highlighted: list[Annotated[list[int], Field(min_length=2, max_length=2)]] = Field(default=[])
    """starts and ends of highlighted text, in characters"""
    lists: dict[str, list[str]] = Field(description="ordered paths of elements, by name of the list")
    measures: dict[str, str] = Field(description="measures of the library, by short name")


class ScoredLabel(Settings):
    """A formula or a measure to which a label of an evaluation refers; ``view`` selects the runs that are scored."""

    measure: str = ""
    view: str = ""
    """the scored view of the campaign; by default, the campaign's own runs"""
    formula: str = ""
    """a formula of the means under earlier labels, instead of a measure"""


#: the maximum numbers of runs and of topics in an audit of an evaluation
RUNS, TOPICS = 6, 40


class Evaluation(Settings):
    """A comparison of a campaign's published ranking with the ranking by a corrected measure.

    `focuseval_papers.publication.evaluation` computes it.
    """

    measures: dict[str, ScoredLabel] = Field(description="measures or formulas, by label")
    official: str = Field(description="the label of the published ranking")
    corrected: str = Field(description="the label of the corrected measure")
    groups: list[str] = Field(default=[])
    """parts of run names that divide systems into groups, which are compared on topics with the same prefix"""
    cause: str = Field(description="why the two rankings differ, with an example from the campaign")
    kind: str = Field(description="whether this is a defect of a program, a choice, or was unknowable")
    advice: str = Field(description="what to do about it when systems are compared")


class Numbered(Settings):
    """One or several numbered items of the publication, such as equations, and where they are reproduced."""

    item: str
    """the number of the item: Eq. 2-5, Table 1, Figure 4, Example 6.1, Section 5.3"""
    what: str = Field(description="a description in our words")
    code: list[str] = Field(default=[])
    """the code that computes it, as `module:name` (without `focuseval.`)"""
    shown: list[str] = Field(default=[])
    """tables and figures of the section, or of the worked examples"""
    tests: list[str] = Field(default=[])
    """the tests of the item: `path::test`, relative to `tests`"""
    note: str = Field(default="", description="the reason for a missing item, or another remark")


class Declaration(Settings):
    """The contents of ``publication.yaml``: the scores, claims, tables and figures of a publication."""

    title: str = Field(description="authors and year, as in Kazai & Lalmas (2005)")
    campaign: str = Field(description="the campaign of the publication, such as INEX 2005")
    facts: dict[str, int | float | str] = Field(default={})
    """facts of this campaign, by name (`workflow.campaign_size`); texts if no number is printed"""
    of_campaign: str = Field(default="", description="a remark about these facts")
    printed: list[str] = Field(default=[])
    """files of printed values in config/published, without suffix"""
    reads: list[str] = Field(default=[], description="files of an importer that the code reads")
    needs_texts: bool = Field(default=True, description="whether the publication requires documents")
    needs_elements: bool = True
    """whether the publication requires runs of elements"""
    suits: Suits = Suits()
    words: dict[str, Any] = Field(default={})
    """words and lists that texts and loops of this file can name in braces"""
    introduction: str
    scores: list[ScoreSettings] = Field(default=[])
    """run sets with their measures; the first represents the campaign"""
    correlations: list[PaperCorrelations] = Field(default=[], description="correlations of these scores")
    before_findings: list[ShownItem] = Field(default=[])
    after_findings: list[ShownItem] = Field(default=[])
    evaluation: Evaluation | None = None
    findings: list[Claim] = Field(min_length=1, description="a list of claims, at least one")
    in_print: dict[str, InPrint] = Field(default={})
    """the kinds of intervals of printed numbers, by quantity or pattern"""
    cases: dict[str, WorkedCase] = Field(default={}, description="small documents whose scores decide claims")
    examples: Worked | None = None
    numbers: dict[str, PrintedNumber] = Field(default={})
    """printed numbers that worked examples recompute, by subject"""
    numbered: list[Numbered] = Field(default=[])

    @model_validator(mode="before")
    @classmethod
    def _add_shared_declarations(cls, document: Any) -> Any:
        """Add the declarations that all evaluations share, unless the evaluation in ``document`` replaces them."""
        if isinstance(document, Mapping) and "evaluation" in document:
            return {**_yaml(EVALUATIONS), **document}
        return document

    @property
    def requested_scores(self) -> list[ScoreSettings]:
        """Return the run sets to score, with their measures.

        An evaluation scores the campaign's own runs and the runs of its views.
        """
        if self.evaluation is None:
            return self.scores
        of_views: dict[str, dict[str, str]] = {}
        for label, scored in sorted(self.evaluation.measures.items(), key=lambda pair: pair[1].view):
            if scored.measure:
                of_views.setdefault(scored.view, {})[label] = scored.measure
        return [
            ScoreSettings(name=view or OWN, view=view, measures=measures)
            for view, measures in of_views.items()
        ]

    def measures(self, runs: str) -> dict[str, str]:
        """Return the measures that ``scores`` declares for a run set, by label.

        The texts of the measures still contain words in braces.
        """
        [measures] = [one.measures for one in self.scores if one.name == runs]
        return dict(measures) if isinstance(measures, dict) else {}

    @property
    def all_shown(self) -> list[ShownItem]:
        """Return all tables, figures and other items of the publication, and then the items of its worked examples."""
        return [*self.before_findings, *self.after_findings, *(self.examples.shown if self.examples else ())]

    def recomputed(self, quantities: Quantities) -> pd.DataFrame:
        """Compute the formulas of `numbers`, and compare the results with the printed numbers.

        The columns are

        - quantity: the name of the number in ``publication.yaml``;
        - printed: the printed number, or NaN if there is only a formula;
        - computed: the value of the formula for ``quantities``;
        - decimals: the number of decimals in print;
        - agrees: whether the computed number rounds to the printed number; missing if no number is printed;
        - why: the reason for a difference, or the basis of the computed number.
        """
        numbers = self.numbers.values()
        table = pd.DataFrame([number.model_dump(exclude={"formula"}) for number in numbers])
        table.insert(0, "quantity", list(self.numbers))
        digits = table["printed"].str.partition(".")[2].str.len()
        table["decimals"] = digits.where(table["printed"] != "", table["decimals"])
        table["printed"] = pd.to_numeric(table["printed"])
        table.insert(2, "computed", [value_of(evaluate(number.formula, quantities)) for number in numbers])
        near = (table["printed"] - table["computed"]).abs() <= 0.5 * 10.0 ** -table["decimals"] + 1e-12
        table.insert(4, "agrees", near.astype("boolean").mask(table["printed"].isna()))
        return table


@cache
def read_declaration(path: Path) -> Declaration:
    """Read and check a file ``publication.yaml``.

    Raises InputError that lists all problems of the file.
    """
    return validated(Declaration, _yaml(path), str(path))


def _yaml(path: Path) -> Any:
    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)  # the C loader is ten times as fast
    with path.open("rb") as file:
        return yaml.load(file, loader)
