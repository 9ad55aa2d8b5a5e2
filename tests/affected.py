"""The runs or measures that notices are about, for tests."""

from collections.abc import Iterable

from focuseval.campaign.notices import Notice, NoticeKind, table


def affected(notices: Iterable[Notice], kind: NoticeKind) -> dict[str, int | str]:
    """The names of topics, or else the number, of each run or measure with a notice of this kind."""
    rows = table(notices).query(f"kind == '{kind.name}'")
    return {
        of: which or number
        for of, number, which in zip(rows["of"], rows["number"], rows["which"], strict=True)
    }
