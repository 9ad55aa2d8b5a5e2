"""The runs or measures that notices are about, for tests."""

from focuseval.campaign.notices import table


def affected(notices, kind):
    """Return, for each run or measure with a notice of this kind, the names of topics or their number."""
    rows = table(notices).query(f"kind == '{kind.name}'")
    return {
        of: which or number
        for of, number, which in zip(rows["of"], rows["number"], rows["which"], strict=True)
    }
