"""What is printed: a line for each job that begins, or would (`snakemake -n`), and one when Ctrl-C ends them."""

import logging
import signal
import sys
from contextlib import suppress

import psutil
from snakemake.logging import logger
from snakemake.settings.types import Quietness

from focuseval.errors import listed, meant


def shortened(reason):
    """A reason of Snakemake's, ``Missing output files: a, b, c; Code has changed``, with the first of its files."""
    parts = (part.partition(": ") for part in str(reason).split("; "))
    return "; ".join(
        what + colon + listed(sorted(files.split(", ")), 1)
        for what, colon, files in parts
    )


class Jobs(logging.Handler):
    """How many jobs are done, how many there are, rule and wildcards of the one that begins; of a plan, why it would."""

    def emit(self, record):
        if str(getattr(record, "event", "")) != "job_info":
            return
        of = " ".join([record.rule_name, *record.wildcards.values()])
        if workflow.dryrun:
            print(f"{of}: {shortened(record.reason)}", flush=True)
        else:
            done, all_jobs = workflow.scheduler.finished_jobs, len(workflow.dag)
            print(f"{done} of {all_jobs} done; now {of}", file=sys.stderr, flush=True)


def tells_more(record):
    """Whether a message of Snakemake's is more than that some jobs begin, or why some would."""
    known = ("Select jobs to execute", "Execute ", "Reasons:")
    return not str(record.msg).startswith(known)


def tells_targets(record):
    """True; a message of Snakemake's on a target that is not there names those that are."""
    if str(record.msg).startswith("MissingRuleException"):
        for target in workflow.dag_settings.targets:
            if "/" not in target and not workflow.is_rule(target):
                expected = f"{meant(target, TARGETS)}expected {', '.join(TARGETS)}"
                record.msg = (
                    f"no target {target!r}; {expected}, or the path of a result"
                )
    return True


for handler in logger.handlers:
    handler.addFilter(tells_targets)
if Quietness.RULES in (workflow.output_settings.quiet or ()):
    for handler in logger.handlers:
        handler.addFilter(tells_more)
    logger.addHandler(Jobs())


def interrupted(*_):
    """End all jobs, and say so in a line: where each of them was helps nobody."""
    for handler in logger.handlers:
        handler.addFilter(lambda record: False)
    print("Interrupted. The same command goes on from here.", file=sys.stderr)
    for started in psutil.Process().children(recursive=True):
        with suppress(psutil.NoSuchProcess):
            started.terminate()
    sys.exit(130)


def listen():
    """Let Ctrl-C end jobs by way of Snakemake alone; not where who started it had it ignored."""
    if signal.getsignal(signal.SIGINT) != signal.SIG_IGN:
        signal.signal(signal.SIGINT, interrupted)
        shell.prefix("trap '' INT; set -euo pipefail; ")
