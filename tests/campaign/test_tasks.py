"""The tasks of Section 6: names, settings and measures."""

import pytest

from focuseval.campaign.tasks import COS_POOLS, INEX2005, METRICS
from focuseval.measures import MEASURES, parse_specs


def test_the_tasks_are_those_of_the_paper():
    two = [f"{kind}.{task}" for task in ("Focussed", "Thorough", "FetchBrowse") for kind in ("CO", "COS")]
    assert list(INEX2005) == [*two, "SSCAS", "SVCAS", "VSCAS", "VVCAS"]
    for name, task in INEX2005.items():
        assert task.alpha == (1.0,) and task.dcv == (10, 25, 50)
        assert task.quant_functions == ("gen", "strict", "genLifted")
        assert task.pools == (COS_POOLS if name.startswith("COS.") else ())
        assert task.query_type == ("CAS" if name.endswith("CAS") else "CO+S")
        expected = {"Focussed": ("on",), "FetchBrowse": ("on", "off")}
        assert task.overlap == expected.get(name.partition(".")[2], ("off",))
        assert task.metrics == (("ep/gr",) if name.endswith("Browse") else ("nxCG", "ep/gr", "q"))
    assert len(COS_POOLS) == len(set(COS_POOLS)) == 19


@pytest.mark.parametrize("task", INEX2005.values(), ids=lambda task: task.name)
@pytest.mark.parametrize("curves", [False, True])
def test_every_name_is_a_measure_and_occurs_once(task, curves):
    names = task.measures(curves)
    specs = [spec for name in names for spec in parse_specs(name, MEASURES)]
    assert len({spec.name for spec in specs}) == len(specs)


def test_focussed_has_the_ten_measures_of_table_1():
    names = INEX2005["CO.Focussed"].measures()
    assert len(names) == 3 * 10
    assert "nxCG(quantisation=gen,alpha=1,overlap=on)@25" in names
    assert "R(quantisation=genLifted,alpha=1,overlap=on)" in names
    assert not any("alpha" in name for name in INEX2005["SSCAS"].measures())


def test_fetch_and_browse_has_one_article_level_and_two_element_levels():
    names = INEX2005["CO.FetchBrowse"].measures()
    assert len(names) == 3 * 3 * 2
    assert "MAep(quantisation=strict,overlap=off,fetch_browse=article)" in names
    assert "MAep(quantisation=strict,alpha=1,overlap=on,fetch_browse=element)" in names
    assert all("fetch_browse=" in name for name in names)
    assert set(METRICS) == {"nxCG", "ep/gr", "q"}
