"""What is printed while jobs run: a line for each that begins, instead of "Execute 1 jobs..." alone."""

import logging
import sys

from snakemake.logging import logger


class Begun(logging.Handler):
    """How many jobs are done, how many there are, and the rule and the wildcards of the job that begins."""

    def emit(self, record):
        if str(getattr(record, "event", "")) == "job_info":
            done, all_jobs = workflow.scheduler.finished_jobs, len(workflow.dag)
            of = " ".join([record.rule_name, *record.wildcards.values()])
            print(f"{done} of {all_jobs} done; now {of}", file=sys.stderr, flush=True)


def tells_more(record):
    """Whether a message of Snakemake's is more than that some jobs begin."""
    return not str(record.msg).startswith(("Select jobs to execute", "Execute "))


onstart:
    for handler in logger.handlers:
        handler.addFilter(tells_more)
    logger.addHandler(Begun())
