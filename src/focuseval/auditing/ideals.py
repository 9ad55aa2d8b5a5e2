"""The ideal runs that a measure is tried against: what its own definition takes for the best answers."""

from focuseval.measures.declaration import Spec
from focuseval.transformations.declaration import Applied, parse_applied
from focuseval.transformations.declared import TRANSFORMATIONS
from focuseval.transformations.ideal import KINDS

_FOUR_POINTS = ("inex2002", "inex2003")


def ideals_of(spec: Spec, scale: str) -> list[Applied]:
    """The ideal runs of a measure on judgements of a scale; the best of them is what no run should exceed.

    A measure with an ideal recall-base of its own has that one, or the full one where it takes no notice of overlap;
    one that sees overlap has elements that share no text. For others all that judgements give are tried.
    """
    values = spec.parameters
    usual = "generalised" if scale in _FOUR_POINTS else "gen"
    quantisation, method = values.get("quantisation", usual), values.get("ideal", "paper")
    if values.get("fetch_browse") == "article":
        kinds: tuple[str, ...] = ("documents",)
    elif values.get("overlap") == "off":
        kinds = ("all-elements",)
    elif "ideal" in values:
        kinds = ("elements",)
    elif values.get("variant") == "o":
        kinds = ("elements", "specific")
    else:
        kinds = KINDS
    if not spec.measure.takes_passages(values):
        kinds = tuple(kind for kind in kinds if kind not in ("passages", "spans"))
    texts = (f"ideal(kind={kind},quantisation={quantisation},method={method})" for kind in kinds)
    return [parse_applied(text, TRANSFORMATIONS) for text in texts]
