"""What worked examples are made of: the documents that they are on, and printed numbers computed again."""

import numpy as np
import pandas as pd

from focuseval.campaign.collection_read import assemble
from focuseval.formats.xml_elements import Document, parse_document, parse_documents
from focuseval.model.elements import Collection


def document(xml: str | bytes) -> Collection:
    """The collection of one document that an example is on."""
    size = len(xml)
    given = [
        Document("d", "document.xml", xml if isinstance(xml, bytes) else xml.encode(), "document.xml", size)
    ]
    parsed = parse_documents(given, parse_document)
    return assemble(parsed.names, parsed.elements, parsed.columns, parsed.tags, "characters")


def recomputed_as_text(numbers: pd.DataFrame, elsewhere: str) -> pd.DataFrame:
    """Printed and recomputed numbers (`declaration.Declaration.recomputed`) for people.

    Without those whose names begin as a pattern says: other tables show these. Printed numbers have the printed
    digits, recomputed ones four.
    """
    table = numbers[~numbers["quantity"].str.match(elsewhere)].reset_index(drop=True)
    printed = [
        None if np.isnan(value) else f"{value:.{digits}f}"
        for value, digits in zip(table["printed"], table["decimals"], strict=True)
    ]
    return pd.DataFrame(
        {
            "quantity": table["quantity"],
            "printed": printed,
            "recomputed": table["computed"].map("{:.4g}".format),
            "agrees": table["agrees"].astype(object).map({True: "yes", False: "no"}),
            "note": table["why"].replace("", None),
        }
    )
