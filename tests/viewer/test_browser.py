"""The page in a browser, headless Chromium: what is shown, that it works by mouse and by keys, and that lengths add up."""

import base64
import html
import os
import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from io import BytesIO
from itertools import pairwise, product
from pathlib import Path
from typing import Any
from urllib.parse import quote

import numpy as np
import pandas as pd
import pypdf
import pytest

import focuseval
from focuseval.cli import main
from focuseval.errors import InputError
from focuseval.report import page as report
from focuseval.viewer.page import View, save
from focuseval.viewer.page import page as page_of
from focuseval_papers.publication.claims import Comparison, Finding, findings_table
from focuseval_papers.publication.section import shown_findings, template

from ..papers.publication.test_verdicts import every_verdict
from ..report.test_page import every_kind
from ..report.test_sections import systems
from ..shown import assert_rounded, check
from .made import EMPTY, HOSTILE, hostile_campaign, random_campaign, view_of, write_xml

PROGRAMS = ("chromium", "chromedriver")
if missing := [name for name in PROGRAMS if shutil.which(name) is None]:
    pytest.skip(f"no browser here: {' and '.join(missing)} not installed", allow_module_level=True)
selenium = pytest.importorskip("selenium")

from selenium.webdriver import ActionChains, Chrome, ChromeOptions, ChromeService, Keys  # noqa: E402
from selenium.webdriver.support.ui import Select, WebDriverWait  # noqa: E402

pytestmark = pytest.mark.filterwarnings("ignore::focuseval.errors.InputWarning")

VIEWS = ("runs", "topics", "topic", "document")
ROOT = Path(__file__).parents[2]
SHOWN = Path(__file__).parent / "shown"


@contextmanager
def chromium() -> Iterator[Chrome]:
    options = ChromeOptions()
    for argument in ("--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"):
        options.add_argument(argument)
    options.binary_location = str(shutil.which("chromium"))
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    driver = Chrome(options=options, service=ChromeService(shutil.which("chromedriver")))
    driver.set_page_load_timeout(60)
    try:
        yield driver
    finally:
        driver.quit()


@pytest.fixture(scope="module")
def chrome() -> Iterator[Chrome]:
    with chromium() as driver:
        yield driver


class Browser:
    """A browser with a page."""

    def __init__(self, chrome: Chrome, folder: Path) -> None:
        self.chrome, self.folder = chrome, folder

    def run(self, script: str, *arguments: Any) -> Any:
        return self.chrome.execute_script(script, *arguments)

    def wait(self, script: str, *arguments: Any) -> Any:
        return WebDriverWait(self.chrome, 30, 0.02).until(lambda _: self.run(f"return {script}", *arguments))

    def open(self, page: Path, place: str = "", width: int = 1300, dark: bool = False) -> None:
        size = {"width": width, "height": 900, "deviceScaleFactor": 1, "mobile": False}
        self.chrome.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)
        scheme = [{"name": "prefers-color-scheme", "value": "dark" if dark else "light"}]
        self.chrome.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": scheme})
        self.chrome.get("about:blank")
        self.chrome.get(page.as_uri() + place)
        self.wait("!document.getElementById('wait')")

    def look(self, view: View, place: str = "", **how: Any) -> None:
        view.save(self.folder / "page.html")
        self.open(self.folder / "page.html", place, **how)

    def go(self, place: str) -> None:
        self.run("delete document.body.dataset.shown; location.hash = arguments[0]", place)
        self.wait("document.body.dataset.shown")

    def click(self, selector: str) -> None:
        self.run("delete document.body.dataset.shown; document.querySelector(arguments[0]).click()", selector)

    def shown(self, selector: str) -> list[str]:
        return self.run(
            "return [...document.querySelectorAll(arguments[0])].map((one) => one.innerText)", selector
        )

    def printed(self) -> list[pypdf.PageObject]:
        return list(pypdf.PdfReader(BytesIO(base64.b64decode(self.chrome.print_page()))).pages)

    def log(self) -> list[str]:
        return [entry["message"] for entry in self.chrome.get_log("browser")]


@pytest.fixture
def browser(chrome: Chrome, tmp_path: Path) -> Browser:
    chrome.get_log("browser")
    return Browser(chrome, tmp_path)


@pytest.fixture(scope="module")
def campaign() -> dict[str, Any]:
    return random_campaign(11)


@pytest.fixture(scope="module")
def page(campaign: dict[str, Any], tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("view") / "page.html"
    view_of(campaign, title="A random campaign", resamples=200).save(path)
    return path


@pytest.fixture(scope="module")
def hostile(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("hostile") / "page.html"
    view_of(hostile_campaign(), resamples=50).save(path)
    return path


@pytest.fixture(scope="module")
def long_names(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Runs with names of 65 letters, and a section of the report on as many as it names in a table."""
    made, folder = random_campaign(3, topics=3, runs=9), tmp_path_factory.mktemp("long")
    made["runs"] = {long_name(i): run for i, run in enumerate(made["runs"].values())}
    view_of(made, resamples=50).save(folder / "page.html")
    section = systems(56, 8, name=long_name)(folder)
    (folder / "report.html").write_text(report.page([section], {}), encoding="utf-8")
    return folder


def long_name(number: int | str) -> str:
    return f"university_of_somewhere_thorough_run_{number:>02}_with_bm25_and_reranked"[:65].ljust(65, "d")


@pytest.mark.parametrize("width", [1300, 400])
def test_every_view_opens_without_a_message_and_fits_the_window(
    browser: Browser, page: Path, long_names: Path, width: int
) -> None:
    for made, view in product((page, long_names / "page.html"), (*VIEWS, "document&w=2")):
        browser.open(made, f"#v={view}&t=t1&k=3", width)
        assert browser.run("return document.querySelectorAll('h2').length") == 1
        assert browser.run("return document.documentElement.scrollWidth") <= width, view
        assert_rounded(browser.run("return document.body.innerText"))
    assert browser.log() == []


@pytest.mark.parametrize("width", [1280, 400])
def test_long_names_make_no_table_wide(browser: Browser, long_names: Path, width: int) -> None:
    browser.open(long_names / "report.html", width=width)
    browser.run("document.querySelectorAll('details').forEach((one) => { one.open = true; })")
    assert browser.run("return document.documentElement.scrollWidth") <= width
    widths = browser.run("return [...document.querySelectorAll('table')].map((one) => one.scrollWidth)")
    assert len(widths) > 4 and max(widths) <= 936
    # a long table scrolls below its headings
    heading, row = browser.run(
        "const long = document.querySelector('.wide[tabindex]'); long.scrollTop = 300; const { top } = long.getBoundingClientRect();"
        "return ['th', 'td'].map((tag) => long.querySelector(tag).getBoundingClientRect().top - top)"
    )
    assert heading == 0 > row
    said = browser.run("return document.querySelector('main').innerText.split('The whole names of the runs')")
    assert len(said) == 2 and long_name("run55") not in said[0] and long_name("run55") in said[1]


def test_runs_are_sorted_and_filtered(browser: Browser, page: Path) -> None:
    browser.open(page)
    first = browser.shown("tbody th")
    browser.click("thead th:nth-child(2) button")
    assert browser.shown("tbody th") == first[::-1]
    assert browser.run("return document.querySelector('thead th:nth-child(2)').ariaSort") == "ascending"
    browser.click("thead th:first-child button")
    assert browser.shown("tbody th") == ["run 0 baseline", "run 1", "run 2"]
    field = browser.chrome.find_element("id", "filter")
    field.send_keys("N 2")
    assert browser.shown("tbody tr:not([hidden]) th") == ["run 2"]
    assert browser.shown("output") == ["1 of 3 runs"]
    (marks,) = (note for note in browser.shown("p.note") if "▲" in note)
    assert "Take care: 6 topics: with fewer than 25, other topics may well say otherwise; " in marks


def test_two_runs_are_chosen_and_lead_to_a_topic_and_a_document(
    browser: Browser, page: Path, campaign: dict[str, Any]
) -> None:
    browser.open(page)
    for name, run in (("choose-b", "run 2"), ("choose-a", "run 0"), ("choose-a", "run 1")):
        browser.run("delete document.body.dataset.shown")
        Select(browser.chrome.find_element("id", name)).select_by_visible_text(run)
        browser.wait("document.body.dataset.shown")
    browser.click("a[href*='v=topics&m=char_recall&a=run+1&']")
    browser.wait("document.querySelector('.strip')")
    assert browser.shown("h2") == ["Where is run 1 better than run 2?"]
    differences = [
        float(text.replace("−", "-")) for text in browser.shown("main > .wide tbody td:nth-child(4)")
    ]
    assert differences == sorted(differences, key=abs, reverse=True) and len(differences) == 6
    scores = focuseval.score(
        ["char_recall"], **{k: campaign[k] for k in ("gold", "runs", "texts")}, per_topic=True
    )
    of = scores.set_index(["run", "topic"])["value"]
    topic = browser.shown("main > .wide tbody th")[0].split("\n")[0]
    assert differences[0] == pytest.approx(of["run 1", topic] - of["run 2", topic], abs=6e-4)
    browser.click("main > .wide tbody th a")
    browser.wait("document.querySelector('.pair')")
    assert browser.shown("h2") == [f"Topic {topic}"] and browser.shown(".list h3") == [
        "run 1",
        "run 2 baseline",
    ]
    assert browser.shown(".list .score b") == [f"{of[run, topic]:.3f}" for run in ("run 1", "run 2")]
    browser.click(".list tbody tr:nth-child(2) td a")
    browser.wait("document.querySelector('.page span')")
    assert browser.shown("h2")[0] in campaign["texts"]
    assert browser.run("return document.getElementById('rank').value") == "2"


def passages(topic: str, *spans: tuple[int, int], document: str = "d.md") -> list[dict[str, Any]]:
    return [{"topic": topic, "document": document, "start": start, "end": end} for start, end in spans]


def in_memory(measures: str, gold: list, texts: dict[str, str] | None = None, **runs: list) -> View:
    return view_of({"measures": measures.split(), "gold": gold, "runs": runs, "texts": texts}, resamples=10)


def of_documents() -> View:
    """Documents with grades; one topic has nothing relevant."""
    gold = {"1": {"d": 1, "e": 0}, "2": {"d": 1}, "3": {"d": 0}}
    run = {topic: {"d": 2.0, "e": 1.0, "f": 0.5} for topic in gold}
    return view_of({"measures": ["AP", "P@1"], "gold": gold, "runs": {"x": run}}, resamples=10)


BEDS = "# Beds\n\n" + "Soil and compost. " * 12
LONG = f"# {'words ' * 30}\n\nShort is the 𝒜nswer.\n\n## {'x' * 120}\n\nEnd.\n"
TWO = "# Beds\n\nSoil.\n\n# Heaps\n\nCompost.\n"
GOLD = [one for t in ("t0", "t1", "t2") for one in passages(t, (0, 8))]
READ = (8, 28), (0, 36), (30, 40)  # the gold is whole after the third
AT = LONG.index("Short")

#: campaigns, and the places on their pages that are read: what they say is in the files of the folder `shown`
CAMPAIGNS: dict[str, tuple[Callable[[], View], str]] = {
    "two-runs-without-texts": (
        lambda: in_memory(
            "char_recall AiP",
            GOLD,
            a=[*passages("t0", (0, 4)), *passages("t1", (0, 4)), *passages("t2", (0, 8), (6, 12))],
            b=[*passages("t0", (0, 4)), *passages("t1", (0, 8)), *passages("t2", (0, 4), (90, 95))],
        ),
        "#v=runs #v=topics #v=topic&t=t2 #v=document&t=t2&k=2 #v=document&t=t2&w=1&k=1 #v=topics&a=a&b=a",
    ),
    "limits": (
        lambda: in_memory(
            "char_recall@25c P(relevant=touches)@1 char_recall",
            passages("q", (20, 40)),
            {"d.md": BEDS},
            run=passages("q", *READ),
        ),
        "#v=topic #v=topic&m=P(relevant=touches)@1 #v=topic&m=char_recall #v=document&m=char_recall@25c&k=3",
    ),
    "articles": (
        lambda: in_memory("gP@1", passages("q", (20, 40)), {"d.md": BEDS}, run=passages("q", *READ[::2])),
        "#v=topic",
    ),
    "quoted": (
        lambda: in_memory(
            "AiP",
            passages("q", (AT, AT + 21)),
            {"d.md": LONG},
            run=passages("q", (AT, AT + 21), (0, len(LONG)), (AT + 12, AT + 21)),
        ),
        "#v=topic #v=document",
    ),
    "passages": (
        lambda: in_memory("AiP", passages("q", (0, 15)), {"d.md": TWO}, run=passages("q", (0, 15), (3, 12))),
        "#v=topic",
    ),
    "grades": (of_documents, "#v=runs #v=topics #v=topic #v=topic&t=3&m=P@1"),
}


@pytest.mark.parametrize("name", CAMPAIGNS)
def test_pages_say_what_they_said(browser: Browser, name: str) -> None:
    check(said(browser, name), SHOWN / f"{name}.txt")


def said(browser: Browser, name: str) -> str:
    view, places = CAMPAIGNS[name]
    browser.look(view())
    lines = []
    for place in places.split():
        browser.go(place)
        browser.wait(
            "[...document.querySelectorAll('.quoted')].every((one) => one.textContent || !core.known)"
        )
        browser.run("document.querySelectorAll('#main details').forEach((one) => { one.open = true; })")
        (text,) = browser.shown("#main")
        titles = browser.run("return [...document.querySelectorAll('#main [title]')].map((one) => one.title)")
        lines += [f"--- {place}", *(line.replace("\t", " | ") for line in text.split("\n")), *titles]
    assert browser.log() == []
    return "\n".join(line.strip() for line in lines if line.strip()) + "\n"


def test_values_after_fewer_results_are_shown(browser: Browser) -> None:
    text = "Alpha beta gamma delta."
    browser.look(
        in_memory("AiP", passages("q", (0, 5)), {"d.md": text}, run=passages("q", (6, 10), (0, 5))),
        "#v=topic",
    )
    told = browser.run(
        "const at = document.getElementById('depth'); at.value = 1; at.dispatchEvent(new Event('input'));"
        "return document.querySelector('.depth output').textContent"
    )
    assert told == "After 1 result: run 0.000."
    assert browser.run("return document.querySelectorAll('.list tr.later').length") == 1


def test_differences_have_one_zero_line(browser: Browser) -> None:
    """Whether a topic is won, lost or tied: numbers with and without a sign are equally wide."""
    view, _ = CAMPAIGNS["two-runs-without-texts"]
    browser.look(view(), "#v=topics")
    assert sorted(browser.shown(".amount")) == ["+0.500", "0.000", "−0.500"]
    lefts = browser.run(
        "return [...document.querySelectorAll('.diverging')].map((one) => one.getBoundingClientRect().left)"
    )
    assert len(set(lefts)) == 1


def test_a_topic_without_any_value_has_an_axis_all_the_same(browser: Browser) -> None:
    gold = {"q1": {"a": 1}, "q2": {"a": 1}}
    runs = {name: {"q1": {"b": 2.0, "c": 1.0}, "q2": {"b": 2.0, "c": 1.0}} for name in ("x", "y")}
    browser.look(focuseval.view(["AP"], gold=gold, runs=runs), "#v=topic")
    assert browser.shown(".axes .tick-y") == ["0.500", "1.000"]
    browser.go("#v=topics")
    assert browser.shown(".scale span")[1:] == ["0", "y better +1.000"]


def test_where_a_measure_stops_reading_is_marked(browser: Browser) -> None:
    view, _ = CAMPAIGNS["limits"]
    browser.look(view(), "#v=topic")
    rows = []
    for measure in ("char_recall@25c", "P(relevant=touches)@1", "char_recall"):
        browser.go(f"#v=topic&m={measure}")
        rows.append(
            browser.run("return [...document.querySelectorAll('.list tbody tr')].map((row) => row.className)")
        )
    assert rows == [
        ["has", "", "limit", "beyond"],
        ["has", "limit", "beyond", "beyond"],
        ["has", "has", "has"],
    ]


def lengths_in_page(
    browser: Browser, topic: str, run: str, documents: list[str], results: int
) -> dict[tuple[int, int], dict[str, int]]:
    """How much text stands in every state in each document after each result, counted in the page itself."""
    found = {}
    for document, name in enumerate(documents):
        browser.go(f"#v=document&t={topic}&a={quote(run)}&w=0&d={name}&k=0")
        for k in range(results + 1):
            found[document, k] = browser.run(
                """const slider = document.getElementById("rank");
                slider.value = arguments[0];
                slider.dispatchEvent(new Event("input"));
                const lengths = {};
                for (const span of document.querySelectorAll(".page span"))
                  for (const name of [span.className.replace(" now", ""), "all"])
                    lengths[name] = (lengths[name] || 0) + [...span.textContent].length;
                for (const key of ["found", "missed", "other", "again"])
                  lengths["told " + key] = Number(document.getElementById("told").dataset[key]);
                return lengths;""",
                k,
            )
    return found


def test_coloured_text_adds_up_to_the_scores_at_every_rank(
    browser: Browser, page: Path, campaign: dict[str, Any]
) -> None:
    contents = view_of(campaign, resamples=10).contents
    names = [topic["name"] for topic in contents.core["topics"]]
    topic, run = 2, "run 1"
    part = contents.topics[topic]
    gold = {
        (g["document"], i)
        for g in campaign["gold"]
        if g["topic"] == names[topic]
        for i in range(g["start"], g["end"])
    }
    results = [r for r in campaign["runs"][run] if r["topic"] == names[topic]]
    browser.open(page)
    documents = part["documents"]
    found = lengths_in_page(browser, names[topic], run, documents, len(results))
    assert len(results) == 12 and browser.log() == []
    for k in range(len(results) + 1):
        times: dict[tuple[str, int], int] = {}
        for result in results[:k]:
            for i in range(result["start"], result["end"]):
                times[result["document"], i] = times.get((result["document"], i), 0) + 1
        for d, document in enumerate(documents):
            expected: dict[str, int] = {}
            for point in {p for p in gold | set(times) if p[0] == document}:
                read = times.get(point, 0)
                state = ("found" if point in gold else "other") if read else "missed"
                state += " again" * (read > 1)
                expected[state] = expected.get(state, 0) + 1
            shown = found[d, k]
            assert {name: shown.get(name, 0) for name in expected} == expected, (document, k)
            assert shown["all"] - shown.get("unread", 0) == sum(expected.values())
            again = sum(n - 1 for p, n in times.items() if p[0] == document)
            assert shown["told found"] == expected.get("found", 0) + expected.get("found again", 0)
            assert shown["told missed"] == expected.get("missed", 0)
            assert shown["told other"] == expected.get("other", 0) + expected.get("other again", 0)
            assert shown["told again"] == again
        if k == 0:
            continue
        read = {
            name: sum(found[d, k].get(name, 0) for d in range(len(documents)))
            for name in ("found", "found again", "other", "other again")
        }
        given = {key: campaign[key] for key in ("gold", "texts")} | {"runs": {run: campaign["runs"][run]}}
        scores = focuseval.score([f"char_recall@{k}", f"char_precision@{k}"], **given, per_topic=True)
        of = scores[scores["topic"] == names[topic]].set_index("measure")["value"]
        right, total = read["found"] + read["found again"], sum(read.values())
        assert right / len(gold) == pytest.approx(of[f"char_recall@{k}"], abs=1e-12)
        assert right / total == pytest.approx(of[f"char_precision@{k}"], abs=1e-12)


def test_it_is_used_by_keys_alone(browser: Browser, page: Path) -> None:
    browser.open(page)

    def press(*keys: str) -> None:
        ActionChains(browser.chrome).send_keys(*keys).perform()

    def reach(script: str) -> None:
        for _ in range(300):
            if browser.run(f"const at = document.activeElement; return {script}"):
                return
            press(Keys.TAB)
        raise AssertionError(f"not reached by Tab: {script}")

    def follow(key: str, there: str) -> None:
        browser.run("delete document.body.dataset.shown")
        press(key)
        browser.wait("document.body.dataset.shown")
        assert browser.wait("new URLSearchParams(location.hash.slice(1)).get('v') === arguments[0]", there)
        assert browser.run("return document.activeElement.tagName") == "H2"

    press(Keys.TAB)
    assert browser.run("return document.activeElement.className") == "skip"
    press(Keys.ENTER)
    assert browser.run("return document.activeElement.id") == "main"
    reach("at.matches('thead button')")
    before = browser.shown("tbody th")
    press(Keys.ENTER)
    press(Keys.ENTER)
    assert sorted(browser.shown("tbody th")) == sorted(before)
    reach("at.matches('tbody th a')")
    follow(Keys.ENTER, "topics")
    reach("at.matches('.heat td a')")
    press(Keys.ARROW_RIGHT, Keys.ARROW_DOWN)
    assert browser.run(
        "const td = document.activeElement.parentNode; return [td.cellIndex, td.parentNode.sectionRowIndex]"
    ) == [2, 1]
    follow(Keys.ENTER, "topic")
    reach("at.matches('.list tbody a')")
    follow(Keys.ENTER, "document")
    reach("at.id === 'rank'")
    k = int(browser.run("return document.activeElement.value"))
    press(Keys.ARROW_RIGHT, Keys.ARROW_RIGHT)
    assert (
        browser.run("return [document.activeElement.value, document.getElementById('told').dataset.k]")
        == [str(k + 2)] * 2
    )
    reach("at.matches('.buttons button')")
    press(Keys.ENTER)
    browser.chrome.back()
    assert browser.log() == []


NAMELESS = """
const visible = (one) => one.getClientRects().length > 0;
return [...document.querySelectorAll("a, button, select, input, [role=region], nav")].filter(visible).filter((one) => {
  const label = one.labels?.length || one.getAttribute("aria-label") || one.textContent.trim() || one.title;
  return !label && !one.closest("[aria-hidden=true]");
}).map((one) => one.outerHTML)"""

FAINT = """
const channel = (c) => (c <= 0.03928 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4);
const canvas = Object.assign(document.createElement("canvas"), { width: 1, height: 1 }).getContext("2d", { willReadFrequently: true });
const rgba = (colour) => { canvas.clearRect(0, 0, 1, 1); canvas.fillStyle = colour; canvas.fillRect(0, 0, 1, 1); return canvas.getImageData(0, 0, 1, 1).data; };
const light = ([r, g, b]) => 0.2126 * channel(r / 255) + 0.7152 * channel(g / 255) + 0.0722 * channel(b / 255);
const behind = (one) => { for (; one; one = one.parentElement) { const c = rgba(getComputedStyle(one).backgroundColor); if (c[3] > 0) return c; } return [255, 255, 255]; };
const faint = [];
for (const one of document.body.querySelectorAll("*")) {
  if (![...one.childNodes].some((node) => node.nodeType === 3 && node.textContent.trim()) || !one.getClientRects().length) continue;
  if (one.closest("[aria-hidden=true], script, option")) continue;
  const style = getComputedStyle(one);
  const [a, b] = [light(rgba(style.color)), light(behind(one))].sort((x, y) => y - x);
  if (style.opacity !== "1" || (a + 0.05) / (b + 0.05) < 4.5) faint.push([one.tagName, one.className, one.textContent.slice(0, 30), (a + 0.05) / (b + 0.05)]);
}
return faint"""


@pytest.mark.parametrize("dark", [False, True])
def test_text_has_contrast_and_everything_to_use_has_a_name(browser: Browser, page: Path, dark: bool) -> None:
    for view in VIEWS:
        browser.open(page, f"#v={view}&t=t2&k=7", dark=dark)
        browser.run("document.querySelectorAll('details').forEach((one) => { one.open = true; })")
        assert browser.run(NAMELESS) == []
        assert browser.run(FAINT) == [], view


@pytest.mark.parametrize("width, dark", [(400, False), (1300, False), (1300, True)])
def test_the_report_fits_the_window_has_contrast_and_runs_no_script(
    browser: Browser, tmp_path: Path, width: int, dark: bool
) -> None:
    long, table = "word" * 90, pd.DataFrame([[0.123456789] * 30], columns=[f"column_{n}" for n in range(30)])
    claim = Finding("many", "1", long, long, [Comparison(long, 0.25, ">", 0.5)] * 9)
    svg = b'<svg xmlns="http://www.w3.org/2000/svg" width="833.5pt" height="300pt" viewBox="0 0 833.5 300"/>'
    items = [
        report.shown_table("wide", "A wide table", "", table, {}, warnings=[long]),
        report.shown_table("long", long, long, pd.DataFrame({"run": [long]}), {}),
        report.shown_figure("broad", "A broad figure", "", svg),
        shown_findings(findings_table([claim], [claim]), "a-name"),
    ]
    sections = [
        every_kind(),
        every_verdict("v"),
        report.section("a-name", "Title", "", items, group="A paper", label="a-name"),
    ]
    text = report.page(sections, {"file" * 40: "00" * 32}, style=template("verdicts.css").render())
    script = "<script>document.body.id = 'another'</script><script>document.body.dataset.shown = 1</script>"
    (tmp_path / "page.html").write_text(text.replace("</main>", f"{script}</main>"), encoding="utf-8")
    browser.open(tmp_path / "page.html", width=width, dark=dark)
    assert browser.run("return [document.body.id, document.body.dataset.shown]") == ["top", None]
    assert all("Content Security Policy" in message for message in browser.log())
    assert browser.run("return document.documentElement.scrollWidth") <= width
    # a link into a folded section opens it
    shown = "document.getElementById('a-name:broad').checkVisibility()"
    assert not browser.run(f"return {shown}")
    browser.run("location.hash = 'a-name:broad'")
    browser.wait(shown)
    # the smallest text of figures, of 8 points, can be read
    scale = "svg.getBoundingClientRect().width / svg.viewBox.baseVal.width"
    assert browser.run(f"const svg = document.querySelector('#a-name figure svg'); return 8 * {scale}") >= 9
    # contents beside the page where there is room, above it where there is not
    seen = browser.run("return [...document.querySelectorAll('nav')].map((nav) => nav.offsetWidth > 0)")
    assert seen == [width == 1300, width == 400]
    if width == 1300 and browser.run("return CSS.supports('animation-timeline: --s1')"):
        read = "[...document.querySelectorAll('nav.beside a')].filter((one) => getComputedStyle(one).fontWeight === '700')"
        browser.wait(f"{read}.map((one) => one.hash).join() === '#a-name'")
    browser.run("document.querySelectorAll('details').forEach((one) => { one.open = true; })")
    assert browser.run(FAINT) == [] and browser.run(NAMELESS) == []
    assert browser.run("return document.querySelectorAll('summary a, summary button, th:empty').length") == 0
    # figures turn dark with the page, text on the ground of the drawing as well
    filters = "[...document.querySelectorAll('figure svg')].map((one) => getComputedStyle(one).filter.includes('invert'))"
    assert set(browser.run(f"return {filters}")) == {dark}


def test_no_cell_of_a_table_is_lost_on_paper(browser: Browser, tmp_path: Path) -> None:
    rng = np.random.default_rng(1)
    numbers = pd.DataFrame(rng.random((9, 14)), columns=[f"MAnxCG[{n}]" for n in range(14)])
    table = numbers.assign(run=[f"system-{n}.section-paragraph.enclosing" for n in range(9)])
    items = [report.shown_table("wide", "A wide table", "", table, dict.fromkeys(numbers, 4))]
    text = report.page([report.section("s", "Title", "", items, group="A paper", label="s")], {})
    (tmp_path / "page.html").write_text(text, encoding="utf-8")
    browser.open(tmp_path / "page.html")
    browser.run("document.querySelectorAll('details').forEach((one) => { one.open = true; })")
    printed = "".join("".join(page.extract_text().split()) for page in browser.printed())
    cells = browser.run("return [...document.querySelectorAll('th, td')].map((cell) => cell.textContent)")
    assert len(cells) == 150 and [cell for cell in cells if "".join(cell.split()) not in printed] == []


def everywhere(browser: Browser, page: Path, check: Callable[[], None]) -> None:
    for view in VIEWS:
        browser.open(page, f"#v={view}&k=1")
        check()


def test_hostile_text_is_shown_and_never_run(browser: Browser, hostile: Path) -> None:
    def check() -> None:
        assert browser.chrome.title.split(" – ", 1)[1].startswith(HOSTILE.split("\u2028")[0])
        assert browser.run("return document.title") != "ran"
        assert browser.run("return document.querySelectorAll('img, [onerror]').length") == 0
        assert browser.run("return document.querySelectorAll('script:not([type])').length") == 1
        assert HOSTILE in browser.run("return document.body.textContent")

    everywhere(browser, hostile, check)
    text = browser.run(
        "return [...document.querySelectorAll('.block')].map((one) => one.textContent).join('')"
    )
    assert text == next(iter(hostile_campaign()["texts"].values()))
    assert browser.log() == []


def test_a_script_that_gets_into_the_page_is_refused(browser: Browser, hostile: Path) -> None:
    browser.open(hostile)
    browser.run(
        """const one = document.createElement("div");
        one.innerHTML = "<img src='x:y' onerror='document.title = 1'>";
        document.body.append(one);
        const script = document.createElement("script");
        script.textContent = "document.title = 2";
        document.body.append(script);"""
    )
    assert browser.run("return document.title") not in ("1", "2")
    assert any("Content Security Policy" in message for message in browser.log())


def test_documents_of_a_large_campaign_are_loaded_from_beside_the_page(
    browser: Browser, campaign: dict[str, Any], tmp_path: Path
) -> None:
    contents = view_of(campaign, resamples=50).contents
    folder = tmp_path / "a folder's name"
    folder.mkdir()
    made = save(contents, folder / "p.html", EMPTY + 500)
    assert made.topics and made.documents
    topic, document = contents.core["topics"][3]["name"], contents.topics[3]["documents"][0]
    browser.open(folder / "p.html", f"#v=document&t={topic}&k=2")
    browser.wait("document.querySelector('.page span')")
    text = browser.run(
        "return [...document.querySelectorAll('.block')].map((one) => one.textContent).join('')"
    )
    assert text == campaign["texts"][document] and browser.log() == []
    shutil.move(folder / "p_files", tmp_path / "elsewhere")
    browser.open(folder / "p.html", f"#v=topic&t={topic}")
    assert "which is not beside this page" in browser.shown("main .warning")[0]


def test_what_does_not_fit_into_a_page_alone_is_told(
    browser: Browser, campaign: dict[str, Any], tmp_path: Path
) -> None:
    contents = view_of(campaign, resamples=50).contents
    sizes = (
        EMPTY + 500,
        next(size for size in range(EMPTY + 500, 10**6, 500) if not page_of(contents, size).topics),
    )
    told = []
    for size in sizes:
        made = save(contents, tmp_path / "p.html", size, alone=True)
        assert made.documents
        topic = contents.core["topics"][3]["name"]
        for document in contents.topics[3]["documents"]:
            browser.open(tmp_path / "p.html", f"#v=document&t={topic}&d={document}")
            told += browser.shown("main .warning")
    assert set(told) == {
        "The results for this topic did not fit into this page and are left out.",
        "The text of this document did not fit into this page and is left out.",
    }


def test_nested_elements_are_brackets_with_their_paths(browser: Browser, tmp_path: Path) -> None:
    collection, gold, run = write_xml(tmp_path)
    view = focuseval.view(["char_recall"], assessments=gold, runs=run, collection=collection)
    browser.look(view, "#v=document&k=3")
    places = browser.run(
        "return [...document.querySelectorAll('.bracket')].map((one) => [one.title, one.offsetTop, one.offsetHeight, one.offsetLeft])"
    )
    by_path = {title.split(": ")[1].split(",")[0]: place for title, *place in places}
    body, section, paragraph = (
        by_path[path]
        for path in ("/article[1]/bdy[1]", "/article[1]/bdy[1]/sec[1]", "/article[1]/bdy[1]/sec[1]/p[1]")
    )
    for outer, inner in ((body, section), (section, paragraph)):
        assert outer[0] <= inner[0] and outer[0] + outer[1] >= inner[0] + inner[1] and outer[2] < inner[2]


@pytest.mark.parametrize("width", [1300, 600])
def test_many_chunks_of_one_place_stand_side_by_side(browser: Browser, width: int) -> None:
    texts = {
        "a.txt": "\n\n".join(f"Sentence {i} tells of the garden and what grows in it." for i in range(60))
    }
    spans = [{"topic": "q", "document": "a.txt", "start": 100 * i, "end": 2000 + i} for i in range(13)]
    gold = [{"topic": "q", "document": "a.txt", "start": 5, "end": 9}]
    browser.look(
        focuseval.view("char_recall", texts=texts, gold=gold, runs={"r": spans}),
        "#v=document&k=13",
        width=width,
    )
    sides = browser.run(
        "return [...document.querySelectorAll('.bracket'), document.querySelector('.block')]"
        ".map((one) => one.getBoundingClientRect()).map((one) => [one.left, one.right])"
    )
    assert len(sides) == 14
    assert all(one[1] < other[0] for one, other in pairwise(sides))


def test_the_page_works_in_a_notebook(browser: Browser, campaign: dict[str, Any], tmp_path: Path) -> None:
    frame = view_of(campaign, resamples=50)._repr_html_()
    (tmp_path / "notebook.html").write_text(
        f"<!doctype html><meta charset=utf-8><title>notebook</title>{frame}", encoding="utf-8"
    )
    browser.chrome.get("about:blank")
    browser.chrome.get((tmp_path / "notebook.html").as_uri())
    browser.chrome.switch_to.frame(0)
    browser.wait("document.body.dataset.shown")
    browser.click("tbody th a")
    browser.wait("document.querySelector('.strip')")
    browser.click("main > .wide tbody th a")
    browser.wait("document.querySelector('.list')")
    browser.click(".list tbody a")
    browser.wait("document.querySelector('.page span')")
    browser.chrome.switch_to.default_content()
    assert browser.chrome.title == "notebook" and browser.log() == []
    assert html.unescape(frame).count("<iframe") == 1


@pytest.mark.parametrize("unit", ["words", "bytes"])
def test_text_is_coloured_in_other_units_too(browser: Browser, tmp_path: Path, unit: str) -> None:
    collection, _, run = write_xml(tmp_path)
    source = collection / "a.xml"
    source.write_text(source.read_text().replace("Alpha", "Ähnlich 🌱 naïv"), encoding="utf-8")
    gold = tmp_path / "gold.tsv"
    gold.write_text(
        "topic\tdocument\tpath\texhaustivity\tspecificity\n1\ta\t/article[1]/bdy[1]/sec[1]/p[2]\t3\t3\n"
    )
    view = focuseval.view(["inex2003"], assessments=gold, runs=run, collection=collection, unit=unit)
    browser.look(view, "#v=document&k=2")
    states = {
        name: "".join(
            browser.run(
                f"return [...document.querySelectorAll('.page span.{name}')].map((one) => one.textContent)"
            )
        )
        for name in ("found", "other")
    }
    # a word that begins before an element, as in "NestedPart", is none of the element's
    before = "Part " if unit == "bytes" else ""
    assert states == {"other": f"{before}1Ähnlich 🌱 naïv beta gamma 1.", "found": "Delta 1."}
    size = {"words": 2, "bytes": 8}[unit]
    assert browser.run(
        "return [document.getElementById('told').dataset.found, document.getElementById('told').dataset.missed]"
    ) == [str(size), "0"]


def test_the_example_shows_text_that_is_read_again(browser: Browser, tmp_path: Path) -> None:
    """The picture of README.md and docs/view.md; REWRITE=1 makes it anew."""
    assert main(["init", str(tmp_path / "garden")]) == 0
    garden = tmp_path / "garden"
    view = focuseval.view(
        "AiP",
        collection=garden / "documents",
        assessments=garden / "gold.jsonl",
        runs=garden / "runs",
        baseline="sections",
        title="A garden's handbook",
    )
    browser.look(view, "#v=document&a=windows&b=sections&t=q5&d=watering.md&k=3", width=1100)
    (told,) = browser.shown("#told")
    assert "read again" in told and browser.shown(".page .found.again") != [] != browser.shown(
        ".page .other.again"
    )
    if os.environ.get("REWRITE"):
        browser.run("scrollTo(0, 0)")
        size = {"width": 1100, "height": 1240, "deviceScaleFactor": 1, "mobile": False}
        browser.chrome.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)
        browser.chrome.execute_cdp_cmd("Emulation.setScrollbarsHidden", {"hidden": True})
        browser.chrome.save_screenshot(str(ROOT / "docs" / "view.png"))


def test_two_runs_are_read_side_by_side(browser: Browser) -> None:
    """Each reader is coloured and told as alone, by one slider; links hold the choice."""
    read = {"a": (0, 8), "b": (4, 33)}
    runs = {run: [*passages("q", span), *passages("q", (0, 33))] for run, span in read.items()}
    browser.look(in_memory("char_recall", passages("q", (0, 15)), {"d.md": TWO}, **runs), "#v=document&k=1")
    alone = []
    for side, run in enumerate(("b", "a")):
        browser.go(f"#v=document&a=b&b=a&w={side}&k=1")
        alone.append((browser.shown(".page .found"), browser.shown(".page .missed"), browser.shown("#told")))
        assert run in browser.shown("caption")[0] and len(browser.shown(".page")) == 1
    browser.click(".which a:last-child")
    browser.wait("document.querySelectorAll('.page').length === 2")
    for side, run in enumerate(("b", "a")):
        one = f".pair section:nth-child({side + 1})"
        found, missed, told = alone[side]
        assert (browser.shown(f"{one} .page .found"), browser.shown(f"{one} .page .missed")) == (
            found,
            missed,
        )
        assert browser.shown(f"{one} h3") == [run]
        assert browser.shown(("#told", "#told-too")[side]) == [f"{run}: {told[0]}"]
    assert "w=2" in browser.run("return location.hash") and browser.log() == []
    browser.chrome.find_element("id", "rank").send_keys(Keys.ARROW_RIGHT)
    assert browser.shown(".page .missed") == []


def test_code_has_line_numbers_and_folds_what_nobody_touches(browser: Browser, tmp_path: Path) -> None:
    code = tmp_path / "code"
    code.mkdir()
    lines = [
        "class A:",
        *(f"    x{i} = {i}" for i in range(30)),
        "    def f(self):",
        "        return '<b>'",
        "",
    ]
    (code / "a.py").write_text("\n".join([*lines, *(f"y{i} = {i}" for i in range(9))]) + "\n")
    gold = [{"topic": "t", "path": "a.py", "line": 12}]
    run = [{"topic": "t", "path": "a.py", "name": "A.f"}, {"topic": "t", "path": "gone.py"}]
    for unit in ("characters", "lines"):
        view = focuseval.view(
            "char_recall", gold=gold, runs={"r": run}, collection=code, unit=unit, resamples=10
        )
        browser.look(view, "#v=document&t=t&d=a.py&k=1")
        shown = [int(number) for number in browser.run(
            "return [...document.querySelectorAll('.code .block')].filter((one) => one.checkVisibility()).map((one) => one.dataset.line)"
        )]  # fmt: skip
        assert shown == [*range(10, 15), *range(30, 36)], unit
        assert browser.shown(".fold summary") == ["9 lines", "15 lines", "8 lines"]
        assert [text.strip() for text in browser.shown(".block .missed")] == ["x10 = 10"]
        assert "<b>" in "".join(browser.shown(".block .other"))
        style = "getComputedStyle(document.querySelector('.code .block'))"
        assert "monospace" in browser.run(f"return {style}.fontFamily")
        if unit == "characters":
            assert browser.shown(".outline li") == ["class A:", "def f(self):"]
            top = browser.run("return document.querySelector('.bracket').getBoundingClientRect().top")
            browser.click(".fold summary")
            browser.wait(
                "document.querySelector('.bracket').getBoundingClientRect().top > arguments[0] + 50", top
            )
    assert browser.log() == []


def test_the_curve_of_a_sweep_leads_to_its_runs(browser: Browser) -> None:
    gold = {topic: {"d": 1} for topic in "qr"}
    names = [f"size={size}-overlap={overlap}" for overlap in (0, 50) for size in (400, 50, 100)]
    runs = {name: {topic: {"x": 2.0, "d": 1.0 + i} for topic in "qr"} for i, name in enumerate(names)}
    runs["old"] = {"q": {"d": 1.0}, "r": {"d": 1.0}}
    view = view_of(
        {"gold": gold, "runs": runs, "measures": ["RR"]}, resamples=10, by=["size", "overlap"], baseline="old"
    )
    browser.look(view)
    assert browser.shown(".sweep .tick-x") == ["50", "100", "400"]
    assert browser.shown(".sweep .key") == ["overlap 0", "overlap 50"]
    assert len(browser.shown(".sweep polyline")) == 2
    dots = browser.run("return [...document.querySelectorAll('.sweep .dot')].map((one) => one.title)")
    assert dots[:3] == ["size=50-overlap=0: 0.500", "size=100-overlap=0: 1.000", "size=400-overlap=0: 0.500"]
    browser.click(".sweep .dot")
    assert browser.wait("location.hash.includes('v=topics') && location.hash.includes('size')")
    assert browser.log() == []
    with pytest.raises(InputError, match="run old: no size"):
        view_of({"gold": gold, "runs": runs, "measures": ["RR"]}, resamples=10, by="size")
