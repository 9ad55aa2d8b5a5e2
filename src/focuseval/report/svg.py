"""Conversion of Matplotlib's SVG files to figures inside an HTML page."""

import re
from xml.etree import ElementTree
from zlib import crc32

from markupsafe import Markup

#: the attributes with lengths or coordinates
_GEOMETRY = ("d", "x", "y", "width", "height", "transform", "viewBox")

#: patterns of default values of attributes, which are omitted
_USUAL = {"transform": r"rotate\(-0 .*", "text-anchor": "start", "font-family": ".*", "version": ".*"}


def inline(svg: bytes, label: str) -> Markup:
    """Return a Matplotlib SVG as an element of a page, with a ``label`` for screen readers.

    Coordinates have one decimal. Styles become attributes, because the page's content security policy forbids
    ``style``. Identifiers are made unique to the figure.
    """
    root = ElementTree.fromstring(svg)
    names, prefix = set(re.findall(r"#(\w+)", svg.decode())), f"{crc32(svg):x}-"
    for element in list(root.iter()):
        for child in list(element):
            if child.tag.endswith(("}metadata", "}style")):
                element.remove(child)
        element.tag = element.tag.rpartition("}")[2]
        if element.tag != "text":
            element.text = None
        element.tail = None
        attributes = _attributes(element)
        if attributes.get("id") not in names:
            attributes.pop("id", None)
        for name in {"id", "href", "clip-path"} & set(attributes):
            attributes[name] = re.sub(r"^(#|url\(#|)(?=\w)(?!data:)", rf"\g<1>{prefix}", attributes[name])
        element.attrib = attributes
    root.attrib |= {"role": "img", "aria-label": label}
    return Markup(ElementTree.tostring(root, encoding="unicode"))


def _attributes(element: ElementTree.Element) -> dict[str, str]:
    """Return the attributes and style properties of an element, without default values."""
    attributes = {name.rpartition("}")[2]: value for name, value in element.items()}
    style = (each.partition(":") for each in attributes.pop("style", "").split(";") if each)
    attributes |= {name.strip(): value.strip() for name, _, value in style}
    attributes |= {name: _rounded(attributes[name]) for name in _GEOMETRY if name in attributes}
    return {
        name: value for name, value in attributes.items() if not re.fullmatch(_USUAL.get(name, "$^"), value)
    }


def _rounded(coordinates: str) -> str:
    """Round coordinates to one decimal. Straight lines omit the command ``L``, which SVG implies."""
    text = re.sub(r"-?\d+\.\d+", lambda number: f"{float(number[0]):.1f}".removesuffix(".0"), coordinates)
    text = re.sub(r"\s*([MLCQz])\s*", r"\1", " ".join(text.split()))
    return text if re.search("[CQ]", text) else text.replace("L", " ")
