"""``focuseval audit``: whether scores change as they should when runs are transformed."""

import argparse
from typing import TYPE_CHECKING, Any

from focuseval.cli.common import FORMS, call, declare, declare_inputs, deliver, note, require
from focuseval.errors import InputError, Problem, meant

if TYPE_CHECKING:
    import pandas as pd


def add(commands: Any) -> None:
    """Declare the command ``focuseval audit`` and its options."""
    audit = commands.add_parser(
        "audit",
        help="check what each measure rewards, and print a card for each",
        description="Transform runs in ways with a known effect on a good measure, and report the measures that behave "
        "otherwise. Without --run and --gold, a small built-in campaign is used.",
    )
    declare(audit, "measures")
    declare_inputs(audit)
    audit.add_argument(
        "--transformation",
        dest="transformations",
        action="append",
        metavar="NAME",
        help="use only this transformation, such as halves; repeatable (docs/audit.md lists all)",
    )
    audit.add_argument(
        "--require",
        action="append",
        metavar="PROPERTY",
        help="exit with status 1 if a measure does not have this property, such as split-invariant; repeatable",
    )
    declare(audit, "seed", metavar=None, help="seed of the intervals (default: 0)")
    declare(audit, "format", choices=(*FORMS, "html"))
    declare(audit, "output")
    audit.set_defaults(perform=run, judges=True)


def run(options: argparse.Namespace) -> int:
    """Audit the measures and print their cards. Return 1 if a measure fails a requirement or has no verdict on it."""
    require(options, "measures")
    wanted = options.require or []
    _check_properties(wanted)
    if bool(options.runs) != bool(options.assessments):
        require(options, "runs", "assessments")

    from focuseval.auditing.cards import written
    from focuseval.auditing.public import audit

    findings = call(audit, options)
    deliver(lambda out: out.write(written(findings, options.format)), options.output)
    return _judge(findings, wanted)


def _check_properties(wanted: list[str]) -> None:
    """Raise InputError if a name in ``wanted`` is neither a property nor a transformation."""
    if not wanted:
        return
    from focuseval.transformations.declared import TRANSFORMATIONS

    choices = [*dict.fromkeys(one.trait for one in TRANSFORMATIONS.values()), *TRANSFORMATIONS]
    if unknown := [name for name in wanted if name.partition("(")[0] not in choices]:
        expected = f"{meant(unknown[0], choices)}expected one of {', '.join(choices)}"
        raise InputError([Problem("--require", "", f"the value is {name!r}", expected) for name in unknown])


def _judge(findings: "pd.DataFrame", wanted: list[str]) -> int:
    """Report each measure that breaks a required property or has no verdict on it. Return 1 if there is one, else 0."""
    from focuseval.transformations.declared import TRANSFORMATIONS

    failed = False
    for name in wanted:
        rows = findings[(findings["property"] == name) | (findings["transformation"] == name)]
        for measure in findings["measure"].unique():
            own = rows[rows["measure"] == measure]
            if len(broken := own[own["verdict"] == "breaks"]):
                by = [
                    f"{one}: {TRANSFORMATIONS[one.partition('(')[0]].summary} (expected score: {expected})"
                    for one, expected in zip(broken["transformation"], broken["expected"], strict=True)
                ]
                note(f"{measure} fails the requirement {name!r} under the transformation {', '.join(by)}")
                failed = True
            elif not (own["verdict"] == "not broken").any():
                note(f"the data do not show whether {measure} meets the requirement {name!r}")
                failed = True
    return int(failed)
