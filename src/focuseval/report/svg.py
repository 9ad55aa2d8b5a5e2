"""Figures as they stand in a page: Matplotlib's SVG without what a browser needs not be told."""

import re
from xml.etree import ElementTree
from zlib import crc32

from markupsafe import Markup

#: attributes that hold lengths and coordinates, in points
_GEOMETRY = ("d", "x", "y", "width", "height", "transform", "viewBox")


def inline(svg: bytes, label: str) -> Markup:
    """An SVG file of Matplotlib's as an element of a page, which has the ``label`` for those who do not see it.

    Text stays text. Coordinates have one decimal of a point, styles are attributes (a page's policy allows no others),
    names that nothing refers to are left out, and the others differ from those of other figures.
    """
    root = ElementTree.fromstring(svg)
    names = set(re.findall(r"#(\w+)", svg.decode()))
    (plain,) = _plain(root, names, f"{crc32(svg):x}-")
    plain.attrib |= {"role": "img", "aria-label": label}
    return Markup(ElementTree.tostring(plain, encoding="unicode"))


def _plain(element: ElementTree.Element, names: set[str], prefix: str) -> list[ElementTree.Element]:
    """An element as few others: groups that say nothing are their members."""
    tag = element.tag.rpartition("}")[2]
    inside = [plain for child in element for plain in _plain(child, names, prefix)]
    found = ElementTree.Element(tag, _attributes(element, names, prefix))
    if tag in ("metadata", "style") or (tag == "defs" and not inside):
        return []
    if tag == "g" and not found.attrib:
        return inside
    found.extend(inside)
    found.text = element.text if tag == "text" else None
    return [found]


def _attributes(element: ElementTree.Element, names: set[str], prefix: str) -> dict[str, str]:
    """Attributes and properties of style, without those that say what holds anyway."""
    known = {name.rpartition("}")[2]: value for name, value in element.items()}
    style = known.pop("style", "")
    known |= {
        name.strip(): value.strip() for name, _, value in (p.partition(":") for p in style.split(";") if p)
    }
    if known.get("id") not in names:
        known.pop("id", None)
    for name in ("id", "href", "clip-path"):
        if name in known:
            known[name] = re.sub(r"^(#|url\(#|)(?=\w)(?!data:)", rf"\g<1>{prefix}", known[name])
    for name in _GEOMETRY:
        if name in known:
            known[name] = _rounded(known[name])
    for name, usual in (
        ("transform", "rotate(-0 "),
        ("text-anchor", "start"),
        ("font-family", ""),
        ("version", ""),
    ):
        if known.get(name, "-").startswith(usual):
            known.pop(name, None)
    return known


def _rounded(coordinates: str) -> str:
    """Coordinates with one decimal; a path says once that it goes on with lines."""
    text = re.sub(r"-?\d+\.\d+", lambda number: f"{float(number[0]):.1f}".removesuffix(".0"), coordinates)
    text = re.sub(r"\s*([MLCQz])\s*", r"\1", " ".join(text.split()))
    return text if re.search("[CQ]", text) else text.replace("L", " ")
