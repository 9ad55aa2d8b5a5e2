"""One spelling of every word of users, and accepted alternatives."""

import subprocess
import sys
from pathlib import Path

import pytest

import focuseval
from focuseval.campaign.tasks import INEX2005
from focuseval.errors import InputError
from focuseval.measures.rules import RULES
from focuseval.model.vocabulary import TASKS, task_named
from focuseval_papers.retrieval.systems import AS_DECLARED, KINDS


def test_every_task_has_its_rules_and_every_kind_of_run_its_task():
    assert tuple(RULES) == TASKS
    assert set(KINDS) <= {AS_DECLARED, *TASKS}
    assert [task_named(task) for task in TASKS] == list(TASKS)


def test_tasks_of_inex_2005_have_their_names():
    names = {name.rpartition(".")[2] for name in INEX2005 if "." in name}
    assert {task_named(name) for name in names} == {"thorough", "focused", "fetch-and-browse"}


def test_an_unknown_task_is_refused_with_the_expected_ones():
    with pytest.raises(InputError, match="'adhoc'; expected one of thorough, focused, fetch-and-browse"):
        task_named("adhoc")
    with pytest.raises(InputError, match="'FetchBrowse'; expected one of thorough, focused$"):
        task_named("FetchBrowse", ("thorough", "focused"))


def test_the_vocabulary_loads_nothing_heavy():
    source = Path(focuseval.__file__).parent
    program = (
        "import sys, types; package = types.ModuleType('focuseval'); sys.modules['focuseval'] = package;"
        f"package.__path__ = [{str(source)!r}]; import focuseval.model.vocabulary;"
        "assert not {'numpy', 'pandas', 'lxml'} & set(sys.modules)"
    )
    subprocess.run([sys.executable, "-c", program], check=True)
