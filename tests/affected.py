"""The runs or measures that notices are about, for tests."""

from focuseval.campaign.notices import table


def affected(notices, kind):
    """The names of topics, or else the number, of each run or measure with a notice of this kind."""
    rows = table(notices).query(f"kind == '{kind.name}'")
    return {
        of: which or number
        for of, number, which in zip(rows["of"], rows["number"], rows["which"], strict=True)
    }
