"""Topics that ask for a structure, and the assessments of the CAS tasks, against their definition."""

import pytest

from focuseval.campaign.tasks import CAS_TASKS
from focuseval.errors import InputError
from focuseval.formats.inex import read_topics
from focuseval_papers.retrieval.search import parse_castitle
from focuseval_papers.synthetic.campaign_files import write_campaign, write_structured
from focuseval_papers.synthetic.concept_settings import settings
from focuseval_papers.synthetic.concept_space import make_plan, vocabulary
from focuseval_papers.workflow.campaign_settings import StructureSettings
from tests.folders import held
from tests.papers.synthetic.test_concept_space import assessed

TINY = settings("tiny")
VALUES = ("exhaustivity", "size", "rsize")
STRUCTURE = StructureSettings(seed=7, castitles=["101", "103"], topics=3, least=2)


@pytest.fixture(scope="module")
def campaign_folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("structured")
    write_campaign(TINY, folder)
    write_structured(TINY, STRUCTURE, folder / "assessments-2005", folder / "structured")
    return folder


@pytest.fixture(scope="module")
def titles(campaign_folder):
    topics = read_topics(campaign_folder / "structured/topics.xml")
    return {row.topic: parse_castitle(row.castitle, "topics") for row in topics.itertuples()}


def test_the_assessments_of_each_task_are_those_that_its_letters_leave(campaign_folder, titles):
    names = [name for name in titles if name.endswith("s")]
    assert len(names) == STRUCTURE.topics
    fewer = 0
    for name in names:
        need = assessed(campaign_folder / "assessments-2005", name.removesuffix("s"), *VALUES)
        (target,), ((support,),) = titles[name].targets, [clause.tags for clause in titles[name].support]
        tag = {key: key[1].split("/")[-1].split("[")[0] for key in need}
        supported = {
            document
            for (document, path), (e, _, _) in need.items()
            if e != "?" and tag[document, path] == support
        }
        for task in CAS_TASKS:
            expected = {
                key: values
                for key, values in need.items()
                if (task[0] == "V" or tag[key] == target) and (task[1] == "V" or key[0] in supported)
            }
            assert assessed(campaign_folder / f"structured/{task}", name, *VALUES) == expected
            fewer += len(expected) < len(need)
        assert target != support
        both = [
            values
            for key, values in assessed(campaign_folder / "structured/SSCAS", name, *VALUES).items()
            if values[0] != "?"
        ]
        assert len(both) >= STRUCTURE.least
    assert fewer >= 2 * len(names)
    for task in CAS_TASKS:
        assert sorted(file.stem for file in (campaign_folder / "structured" / task).iterdir()) == names


def test_titles_ask_for_what_the_settings_name_in_words_of_the_need(campaign_folder, titles):
    plan, words = make_plan(TINY), vocabulary(TINY)
    topics = read_topics(campaign_folder / "structured/topics.xml").set_index("topic")
    assert topics["query_type"].tolist() == ["CO+S"] * 2 + ["CAS"] * 3
    for name, title in titles.items():
        number = plan.names.index(name.removesuffix("s"))
        ((support,),), target = [clause.tags for clause in title.support], title.targets[0]
        assert target in STRUCTURE.targets and support in STRUCTURE.supports
        words_of_title = f"{title.support[0].words} {title.words}"
        assert topics.loc[name, "title"] == words_of_title
        if name.endswith("s"):
            words_of_need = {words.spelled[word] for word in words.concepts[plan.concepts[number]].ravel()}
            assert set(words_of_title.split()) <= words_of_need and len(words_of_title.split()) >= 2
        else:
            assert words_of_title == plan.titles[number]


def test_equal_settings_give_equal_files_and_another_seed_other_files(campaign_folder, tmp_path):
    write_structured(TINY, STRUCTURE, campaign_folder / "assessments-2005", tmp_path / "again")
    assert held(tmp_path / "again") == held(campaign_folder / "structured")
    other = STRUCTURE.model_copy(update={"seed": 8})
    write_structured(TINY, other, campaign_folder / "assessments-2005", tmp_path / "other")
    assert held(tmp_path / "other")["topics.xml"] != held(campaign_folder / "structured")["topics.xml"]


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"castitles": ["101", "999"]}, "the topic '999' is unknown; expected one of 101 to 104"),
        ({"topics": 5}, "the number of CAS topics is 5; expected 4 or fewer"),
        (
            {"targets": ["p"], "supports": ["p"]},
            "the only tag, 'p', is also the only tag of `targets`; expected another tag",
        ),
        ({"least": 10_000}, "leave 10,000 relevant elements; set a lower number, or name other tags"),
    ],
)
def test_settings_that_cannot_be_met_are_refused(campaign_folder, tmp_path, changed, message):
    structure = STRUCTURE.model_copy(update=changed)
    with pytest.raises(InputError, match=message):
        write_structured(TINY, structure, campaign_folder / "assessments-2005", tmp_path)
