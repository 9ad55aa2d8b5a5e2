"""Messages: a line for each job that has run or would run (`snakemake -n`), the paths of results, and failures."""

import json
import logging
import signal
import sys
from contextlib import suppress
from pathlib import Path

import psutil
from snakemake.exceptions import WorkflowError
from snakemake.logging import logger
from snakemake.settings.types import Quietness

from focuseval.errors import counted, listed, meant
from focuseval_papers.workflow.jobs import failure
from focuseval_papers.workflow.yaml_files import differences, reason_in_words


def why(record):
    """Return why a job would run: the first of its changed files, or the keys of changed settings."""
    campaign = CAMPAIGNS.get(record.wildcards.get("campaign"))
    return reason_in_words(str(record.reason), campaign.files() if campaign else {})


class Jobs(logging.Handler):
    """Prints a line for each finished job, with its number and time, or in a plan the reason for each job."""

    begun, done = {}, 0

    def emit(self, record):
        event = str(getattr(record, "event", ""))
        if event == "job_info":
            record.of = " ".join([record.rule_name, *record.wildcards.values()])
            self.begun[record.jobid] = record
            if workflow.dryrun:
                print(f"{record.of}: {why(record)}", flush=True)
        elif event == "run_info" and workflow.dryrun and self.begun:
            print(f"{counted(len(self.begun), 'job')} would run", flush=True)
        elif event == "job_finished":
            self.done += 1
            job = self.begun[record.job_id]
            minutes, seconds = divmod(round(record.created - job.created), 60)
            count = f"[{self.done}/{len(workflow.dag)}]"
            print(f"{count} {job.of}, {minutes}:{seconds:02}", file=sys.stderr)


#: Snakemake's messages on failed jobs; they are hidden, because the jobs and the summary print the reasons
FAILURES = (
    "RuleException:\nCalledProcessError",
    "Exiting because a job execution failed",
    "WorkflowError:\nAt least one job did not complete successfully",
)
#: part of the command of every job that runs a script; such jobs print why they failed, unless a signal killed them
SCRIPT = ".snakemake/scripts/"


def tells_more(record):
    """Return whether a message of Snakemake contains more than the progress and failures that this module prints."""
    routine = (
        "Select jobs to execute",
        "Reasons:",
        "Building DAG",
        "Using shell",
        "Conda environments",
        "Assuming unrestricted shared",
        "Complete log",
        "Elapsed time",
    )
    message = str(record.msg)
    explained = SCRIPT in message and "died with" not in message
    if message.startswith(FAILURES) and ("CalledProcess" not in message or explained):
        return False
    usual = hasattr(record, "event") or message.startswith(routine)
    return record.levelno > logging.INFO or not usual


def tells_targets(record):
    """Replace Snakemake's message on an unknown target by a list of the targets; always return True."""
    if str(record.msg).startswith("MissingRuleException") and workflow.is_rule(
        "report"
    ):
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
    """End all jobs, and print one line instead of a traceback for each job."""
    for handler in logger.handlers:
        handler.addFilter(lambda record: False)
    print("Interrupted. The same command continues from here.", file=sys.stderr)
    for started in psutil.Process().children(recursive=True):
        with suppress(psutil.NoSuchProcess):
            started.terminate()
    sys.exit(130)


def listen():
    """Let only Snakemake react to Ctrl-C, and end its jobs; change nothing if the signal was ignored from the start."""
    if signal.getsignal(signal.SIGINT) != signal.SIG_IGN:
        signal.signal(signal.SIGINT, interrupted)
        shell.prefix("trap '' INT; set -euo pipefail; ")


def refuse_unrecorded(folder):
    """Refuse results without records in .snakemake: without them, Snakemake would not notice outdated results."""
    provenance = folder / "provenance.json"
    if not provenance.is_file() or Path(".snakemake/metadata").is_dir():
        return
    made_with = json.loads(provenance.read_text(encoding="utf-8"))["configuration"]
    changed = differences(made_with, CONFIG.model_dump(mode="json"))
    way_out = "`make clean` removes them" if changed else "`make adopt` accepts them"
    origin = (
        f"another configuration ({listed(changed)})"
        if changed
        else "this configuration"
    )
    raise WorkflowError(
        f"The results in {folder} were made with {origin}, and Snakemake has no records of them in .snakemake; {way_out}."
    )


def places():
    """Return the paths of the requested results: a page, or the folders of files."""
    targets = [
        file for job in workflow.dag.targetjobs for file in job.output or job.input
    ]
    files = {str(file) for file in targets if not file.is_storage}
    stored = [file.storage_object.query for file in targets if file.is_storage]
    if stored:
        return {"Stored": os.path.commonpath(map(os.path.dirname, stored))}
    pages = {
        "Tables, figures and findings": rules.write_report.output.page,
        "Audit of measures": rules.report_audits.output[0],
    }
    folders = sorted({str(Path(file).parent) for file in files})
    existing = {what: page for what, page in pages.items() if page in files}
    claims = verdicts() if rules.write_report.output.page in files else {}
    return {**existing, **claims} or {"Tables and figures": ", ".join(folders)}


def verdicts():
    """Return the line that counts the verdicts on the papers' claims; {} if the report has no claims."""
    from focuseval.report.page import read_section
    from focuseval_papers.publication.report import read_sections, verdict_counts
    from focuseval_papers.publication.section import MARKS

    sections = map(read_section, read_sections(rules.write_report.input.sections))
    found = [claim["verdict"] for section in sections for claim in section.claims]
    counts = verdict_counts(found, {verdict: verdict for verdict in MARKS})
    return {"Claims of the papers": counts} if counts else {}


def report_without_what_failed():
    """Print failed jobs with reasons; if the report was requested, write it with all results that could be computed."""
    failed = {
        str(each.log[0]): each
        for job in workflow.scheduler.failed
        for each in (job.jobs if job.is_group() else [job])
        if failure(each.log[0]) or not job.is_group()
    }
    reasons = [
        (log.parent.name, log.stem, failure(log) or f"the reason is in {log}")
        for log in map(Path, sorted(failed))
    ]
    for campaign, step, reason in reasons:
        print(f"{campaign} failed ({step}): {reason}", file=sys.stderr)
    page = rules.write_report.output.page
    pages = [job for job in workflow.dag.jobs if page in job.output]
    if reasons and pages and pages[0] not in failed.values():
        from focuseval_papers.publication.report import write_report

        [job] = pages
        sections = [*job.input.sections, *job.input.audits, *job.input.descriptions]
        left = {str(file) for one in workflow.dag.needrun_jobs() for file in one.output}
        # without this file, the next execution makes the page again even if nothing else changes
        Path(job.output.provenance).unlink(missing_ok=True)
        try:
            draws = None if job.input.draws in left else Path(job.input.draws)
            write_report(Path(page), sections, job.params, {}, reasons, left, draws)
            rest = (
                "everything that could be computed"
                if any(str(file) not in left for file in sections)
                else "only what failed"
            )
            print(f"The report has {rest}: {page}", file=sys.stderr)
        except OSError as error:
            print(f"The report could not be written: {error}", file=sys.stderr)
