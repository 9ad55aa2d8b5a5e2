"""The page in headless Chromium: its contents, mouse and keys, and lengths that add up."""

import base64
import html
import shutil
from contextlib import contextmanager
from io import BytesIO
from itertools import pairwise, product
from pathlib import Path
from urllib.parse import quote

import numpy as np
import pandas as pd
import pypdf
import pytest

import focuseval
from focuseval.cli import main
from focuseval.report import page as report
from focuseval.viewer.page import page as page_of
from focuseval.viewer.page import save
from focuseval_papers.publication.claims import Finding, Inequality, findings_table
from focuseval_papers.publication.section import shown_findings, template

from ..papers.publication.test_verdicts import every_verdict
from ..report.test_page import every_kind
from ..report.test_sections import systems
from ..snapshots import REWRITE, assert_rounded, check
from .campaigns import EMPTY, HOSTILE, hostile_campaign, random_campaign, view_of, write_xml

PROGRAMS = ("chromium", "chromedriver")
if missing := [name for name in PROGRAMS if shutil.which(name) is None]:
    pytest.skip(f"no browser here: {' and '.join(missing)} not installed", allow_module_level=True)
selenium = pytest.importorskip("selenium")

from selenium.webdriver import ActionChains, Chrome, ChromeOptions, ChromeService, Keys  # noqa: E402
from selenium.webdriver.support.ui import Select, WebDriverWait  # noqa: E402

pytestmark = pytest.mark.filterwarnings("ignore::focuseval.errors.InputWarning")

VIEWS = ("runs", "topics", "topic", "document")
ROOT = Path(__file__).parents[2]
SNAPSHOTS = Path(__file__).parent / "snapshots"


@contextmanager
def chromium():
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
def chrome():
    with chromium() as driver:
        yield driver


class Browser:
    """A browser with a page."""

    def __init__(self, chrome, folder):
        self.chrome, self.folder = chrome, folder

    def run(self, script, *arguments):
        return self.chrome.execute_script(script, *arguments)

    def wait(self, script, *arguments):
        return WebDriverWait(self.chrome, 30, 0.02).until(lambda _: self.run(f"return {script}", *arguments))

    def open(self, page, place="", width=1300, dark=False):
        size = {"width": width, "height": 900, "deviceScaleFactor": 1, "mobile": False}
        self.chrome.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)
        scheme = [{"name": "prefers-color-scheme", "value": "dark" if dark else "light"}]
        self.chrome.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": scheme})
        self.chrome.get("about:blank")
        self.chrome.get(page.as_uri() + place)
        self.wait("!document.getElementById('wait')")

    def look(self, view, place="", **how):
        view.save(self.folder / "page.html")
        self.open(self.folder / "page.html", place, **how)

    def go(self, place):
        self.run("delete document.body.dataset.shown; location.hash = arguments[0]", place)
        self.wait("document.body.dataset.shown")

    def click(self, selector):
        self.run("delete document.body.dataset.shown; document.querySelector(arguments[0]).click()", selector)

    def texts_at(self, selector):
        return self.run(
            "return [...document.querySelectorAll(arguments[0])].map((one) => one.innerText)", selector
        )

    def printed(self):
        return list(pypdf.PdfReader(BytesIO(base64.b64decode(self.chrome.print_page()))).pages)

    def log(self):
        return [entry["message"] for entry in self.chrome.get_log("browser")]


@pytest.fixture
def browser(chrome, tmp_path):
    chrome.get_log("browser")
    return Browser(chrome, tmp_path)


@pytest.fixture(scope="module")
def campaign():
    return random_campaign(11)


@pytest.fixture(scope="module")
def page(campaign, tmp_path_factory):
    path = tmp_path_factory.mktemp("view") / "page.html"
    view_of(campaign, title="A random campaign", resamples=200).save(path)
    return path


@pytest.fixture(scope="module")
def hostile(tmp_path_factory):
    path = tmp_path_factory.mktemp("hostile") / "page.html"
    view_of(hostile_campaign(), resamples=50).save(path)
    return path


@pytest.fixture(scope="module")
def long_names(tmp_path_factory):
    """Write a page with names of 65 letters, and a report with the largest number of runs that a table names."""
    settings, folder = random_campaign(3, topics=3, runs=9), tmp_path_factory.mktemp("long")
    settings["runs"] = {long_name(i): run for i, run in enumerate(settings["runs"].values())}
    view_of(settings, resamples=50).save(folder / "page.html")
    section = systems(56, 8, name=long_name)(folder)
    (folder / "report.html").write_text(report.page([section], {}), encoding="utf-8")
    return folder


def long_name(number):
    return f"university_of_somewhere_thorough_run_{number:>02}_with_bm25_and_reranked"[:65].ljust(65, "d")


@pytest.mark.parametrize("width", [1300, 400])
def test_every_view_opens_without_a_message_and_fits_the_window(browser, page, long_names, width):
    for location, view in product((page, long_names / "page.html"), (*VIEWS, "document&w=2")):
        browser.open(location, f"#v={view}&t=t1&k=3", width)
        assert browser.run("return document.querySelectorAll('h2').length") == 1
        assert browser.run("return document.documentElement.scrollWidth") <= width, view
        ends = (
            "return [...document.querySelectorAll('select')].map((one) => one.getBoundingClientRect().right)"
        )
        assert max(browser.run(ends)) <= width
        assert_rounded(browser.run("return document.body.innerText"))
    assert browser.log() == []


@pytest.mark.parametrize("width", [1280, 400])
def test_long_names_make_no_table_wide(browser, long_names, width):
    browser.open(long_names / "report.html", width=width)
    browser.run("document.querySelectorAll('details').forEach((one) => { one.open = true; })")
    assert browser.run("return document.documentElement.scrollWidth") <= width
    widths = browser.run("return [...document.querySelectorAll('table')].map((one) => one.scrollWidth)")
    assert len(widths) > 4 and max(widths) <= 936
    # the rows of a long table scroll under its headings
    heading, row = browser.run(
        "const long = document.querySelector('.wide[tabindex]'); long.scrollTop = 300; const { top } = long.getBoundingClientRect();"
        "return ['th', 'td'].map((tag) => long.querySelector(tag).getBoundingClientRect().top - top)"
    )
    assert heading == 0 > row
    legend = browser.run("return document.querySelector('main').innerText.split('Full names of runs')")
    assert len(legend) == 2 and long_name("run55") not in legend[0] and long_name("run55") in legend[1]


def passages(topic, *spans, document="d.md"):
    return [{"topic": topic, "document": document, "start": start, "end": end} for start, end in spans]


def in_memory(measures, gold, texts=None, **runs):
    return view_of({"measures": measures.split(), "gold": gold, "runs": runs, "texts": texts}, resamples=10)


def of_documents(_):
    """Return the view of graded documents; one topic has nothing relevant."""
    gold = {"1": {"d": 1, "e": 0}, "2": {"d": 1}, "3": {"d": 0}}
    run = {topic: {"d": 2.0, "e": 1.0, "f": 0.5} for topic in gold}
    return view_of({"measures": ["AP", "P@1"], "gold": gold, "runs": {"x": run}}, resamples=10)


def without_values(_):
    """Return the view of runs without any relevant result."""
    runs = {name: {"q1": {"b": 2.0, "c": 1.0}, "q2": {"b": 2.0, "c": 1.0}} for name in ("x", "y")}
    return focuseval.view(["AP"], gold={"q1": {"a": 1}, "q2": {"a": 1}}, runs=runs)


def swept(_):
    """Return the view of runs with settings in their names, and one without."""
    names = [f"size={size}-overlap={overlap}" for overlap in (0, 50) for size in (400, 50, 100)]
    runs = {name: {topic: {"x": 2.0, "d": 1.0 + i} for topic in "qr"} for i, name in enumerate(names)}
    runs["old"] = {"q": {"d": 1.0}, "r": {"d": 1.0}}
    inputs = {"gold": {topic: {"d": 1} for topic in "qr"}, "runs": runs, "measures": ["RR"]}
    return view_of(inputs, resamples=10, by=["size", "overlap"], baseline="old")


def side_by_side(_):
    runs = {
        run: [*passages("q", span), *passages("q", (0, 33))]
        for run, span in {"a": (0, 8), "b": (4, 33)}.items()
    }
    return in_memory("char_recall", passages("q", (0, 15)), {"d.md": TWO}, **runs)


def in_unit(unit):
    """Use letters of several bytes; a word that begins before an element does not belong to it."""

    def view_in(folder):
        collection, _, run = write_xml(folder)
        source, gold = collection / "a.xml", folder / "gold.tsv"
        source.write_text(source.read_text().replace("Alpha", "Ähnlich 🌱 naïv"), encoding="utf-8")
        relevant = "1\ta\t/article[1]/bdy[1]/sec[1]/p[2]\t3\t3\n"
        gold.write_text(f"topic\tdocument\tpath\texhaustivity\tspecificity\n{relevant}")
        return focuseval.view(["inex2003"], assessments=gold, runs=run, collection=collection, unit=unit)

    return view_in


def of_code(unit):
    """Use a file of code, most of which neither gold nor run touches."""

    def view_in(folder):
        first = [
            "class A:",
            *(f"    x{i} = {i}" for i in range(30)),
            "    def f(self):",
            "        return '<b>'",
        ]
        (folder / "code").mkdir()
        (folder / "code/a.py").write_text("\n".join([*first, "", *(f"y{i} = {i}" for i in range(9)), ""]))
        gold = [{"topic": "t", "path": "a.py", "line": 12}]
        run = [{"topic": "t", "path": "a.py", "name": "A.f"}, {"topic": "t", "path": "gone.py"}]
        inputs = {"gold": gold, "runs": {"r": run}, "collection": folder / "code"}
        return focuseval.view("char_recall", **inputs, unit=unit, resamples=10)

    return view_in


BEDS = "# Beds\n\n" + "Soil and compost. " * 12
LONG = f"# {'words ' * 30}\n\nShort is the 𝒜nswer.\n\n## {'x' * 120}\n\nEnd.\n"
TWO = "# Beds\n\nSoil.\n\n# Heaps\n\nCompost.\n"
GOLD = [one for t in ("t0", "t1", "t2") for one in passages(t, (0, 8))]
READ = (8, 28), (0, 36), (30, 40)  # the third result completes the gold
AT = LONG.index("Short")

#: campaigns, and what is done on their pages (one thing a line; or the places that are read): what they say is in the
#: files of the folder `snapshots`
CAMPAIGNS = {
    "two-runs-without-texts": (
        lambda _: in_memory(
            "char_recall AiP",
            GOLD,
            a=[*passages("t0", (0, 4)), *passages("t1", (0, 4)), *passages("t2", (0, 8), (6, 12))],
            b=[*passages("t0", (0, 4)), *passages("t1", (0, 8)), *passages("t2", (0, 4), (90, 95))],
        ),
        "#v=runs #v=topics #v=topic&t=t2 #v=document&t=t2&k=2 #v=document&t=t2&w=1&k=1 #v=topics&a=a&b=a",
    ),
    "limits": (
        lambda _: in_memory(
            "char_recall@25c P(relevant=touches)@1 char_recall",
            passages("q", (20, 40)),
            {"d.md": BEDS},
            run=passages("q", *READ),
        ),
        "#v=topic #v=topic&m=P(relevant=touches)@1 #v=topic&m=char_recall #v=document&m=char_recall@25c&k=3",
    ),
    "articles": (
        lambda _: in_memory("gP@1", passages("q", (20, 40)), {"d.md": BEDS}, run=passages("q", *READ[::2])),
        "#v=topic",
    ),
    "quoted": (
        lambda _: in_memory(
            "AiP",
            passages("q", (AT, AT + 21)),
            {"d.md": LONG},
            run=passages("q", (AT, AT + 21), (0, len(LONG)), (AT + 12, AT + 21)),
        ),
        "#v=topic #v=document",
    ),
    "passages": (
        lambda _: in_memory(
            "AiP", passages("q", (0, 15)), {"d.md": TWO}, run=passages("q", (0, 15), (3, 12))
        ),
        "#v=topic",
    ),
    "credited": (
        lambda _: in_memory(
            "char_recall(counting=summed)",
            passages("q", (0, 15)),
            {"d.md": TWO},
            run=passages("q", (0, 8), (3, 8)),
        ),
        "#v=topic",
    ),
    "two-runs-chosen": (
        lambda _: view_of(random_campaign(11, topics=2, results=4), resamples=200, baseline="run 0"),
        """click thead th:nth-child(2) button
        click thead th:first-child button
        type filter=N 2
        type filter=
        pick choose-b=run 2
        pick choose-a=run 1
        follow a[href*='v=topics&m=char_recall&a=run+1&']
        follow main > .wide tbody th a
        follow .list tbody tr:nth-child(2) td a""",
    ),
    "without-values": (without_values, "#v=topic #v=topics"),
    "swept": (swept, "#v=runs\nfollow .sweep .dot"),
    "fewer-results": (
        lambda _: in_memory("AiP", passages("q", (0, 5)), {"d.md": BEDS}, run=passages("q", (6, 10), (0, 5))),
        "#v=topic\nslide depth=1",
    ),
    "side-by-side": (
        side_by_side,
        "#v=document&a=b&b=a&w=0&k=1\n#v=document&a=b&b=a&w=1&k=1\nfollow .which a:last-child\nslide rank=2",
    ),
    "words": (in_unit("words"), "#v=document&k=2"),
    "bytes": (in_unit("bytes"), "#v=document&k=2"),
    "code": (of_code("characters"), "#v=document&t=t&d=a.py&k=1"),
    "code-lines": (of_code("lines"), "#v=document&t=t&d=a.py&k=1"),
    "grades": (of_documents, "#v=runs #v=topics #v=topic #v=topic&t=3&m=P@1"),
}


@pytest.mark.parametrize("name", CAMPAIGNS)
def test_snapshots_of_pages(browser, name, tmp_path):
    check(page_lines(browser, name, tmp_path), SNAPSHOTS / f"{name}.txt")


#: marks besides text: titles, the order of columns, and classes of rows and of pieces of text
MARKS = """
const all = (selector) => [...document.querySelectorAll(`#main ${selector}`)];
return [
  ...all("[title]").map((one) => one.title),
  ...all("[aria-sort]").map((one) => `${one.innerText} is ${one.ariaSort}`),
  ...all(".list tbody tr").map((one) => `a row ${one.className}`),
  ...all(".block :is(.found, .missed, .other)").map((one) => `${one.className}: ${one.textContent}`),
]"""


def step(browser, line):
    """Go to a place (``#...``), click, follow a link, or fill in a field."""
    what, _, rest = line.partition(" ")
    name, _, value = rest.partition("=")
    if what.startswith("#"):
        browser.go(line)
    elif what in ("click", "follow"):
        browser.click(rest)
    elif what == "pick":
        browser.run("delete document.body.dataset.shown")
        Select(browser.chrome.find_element("id", name)).select_by_visible_text(value)
    else:
        put = "const at = document.getElementById(arguments[0]); at.value = arguments[1];"
        browser.run(f"{put} at.dispatchEvent(new Event('input'))", name, value)
    if what in ("follow", "pick"):
        browser.wait("document.body.dataset.shown")
    browser.wait("[...document.querySelectorAll('.quoted')].every((one) => one.textContent || !core.known)")


def page_lines(browser, name, folder):
    view, steps = CAMPAIGNS[name]
    browser.look(view(folder))
    lines = []
    for line in steps.split() if "\n" not in steps else map(str.strip, steps.splitlines()):
        step(browser, line)
        browser.run("document.querySelectorAll('#main details').forEach((one) => { one.open = true; })")
        (text,) = browser.texts_at("#main")
        marks = browser.run(MARKS)
        lines += [f"--- {line}", *(row.replace("\t", " | ") for row in text.split("\n")), *marks]
    assert browser.log() == []
    return "\n".join(line.strip() for line in lines if line.strip()) + "\n"


def test_untouched_code_is_folded(browser, tmp_path):
    browser.look(of_code("characters")(tmp_path), "#v=document&t=t&d=a.py&k=1")
    assert browser.texts_at(".fold summary") == ["9 lines", "15 lines", "8 lines"]
    assert "monospace" in browser.run(
        "return getComputedStyle(document.querySelector('.code .block')).fontFamily"
    )
    top = "document.querySelector('.bracket').getBoundingClientRect().top"
    before = browser.run(f"return {top}")
    browser.click(".fold summary")
    browser.wait(f"{top} > arguments[0] + 50", before)


def test_differences_have_one_zero_line(browser):
    """Numbers with and without a sign are equally wide, whether a topic is won, lost or tied."""
    view, _ = CAMPAIGNS["two-runs-without-texts"]
    browser.look(view(browser.folder), "#v=topics")
    assert sorted(browser.texts_at(".amount")) == ["+0.500", "0.000", "−0.500"]
    lefts = browser.run(
        "return [...document.querySelectorAll('.diverging')].map((one) => one.getBoundingClientRect().left)"
    )
    assert len(set(lefts)) == 1


@pytest.mark.parametrize(("baseline", "run"), [("good", "poor"), ("poor", "good")])
def test_links_of_the_answer_keep_the_chosen_baseline(browser, baseline, run):
    runs = {"good": {"q": {"d": 1.0}, "r": {"d": 1.0}}, "poor": {"q": {"x": 1.0}, "r": {"d": 1.0}}}
    campaign = {"gold": {topic: {"d": 1} for topic in "qr"}, "runs": runs, "measures": ["RR"]}
    browser.look(view_of(campaign, resamples=10, baseline=baseline))
    browser.click(".answer a")
    assert f"&a={run}&b={baseline}&t=q&" in browser.wait("location.hash")


def test_the_answer_compares_with_the_chosen_baseline_and_else_with_the_next_run(browser):
    runs = {
        name: {t: {"d": 1.0, "x": x, "y": y} for t in "qr"}
        for name, x, y in (("a", 0, 0), ("b", 2, 0), ("c", 2, 3))
    }
    campaign = {"gold": {topic: {"d": 1} for topic in "qr"}, "runs": runs, "measures": ["RR"]}
    for baseline, words in (
        (None, "against the next, b"),
        ("c", "against the baseline, c"),
        ("a", "against the next, b"),
    ):
        browser.look(view_of(campaign, resamples=10, baseline=baseline))
        assert words in browser.texts_at(".answer")[0]


def test_ticks_are_round(browser):
    browser.look(CAMPAIGNS["passages"][0](browser.folder))
    ticks = [[0, 0.9207], [0, 1], [0, 0.4603], [0.8, 0.97], [0, 24], [-0.3, 0.4], [0, 2e-5], [0, 0.3]]
    shown = browser.run(
        "return arguments[0].map(([a, b]) => ticksOf(a, b).map(([, text]) => text).join(' '))", ticks
    )
    assert shown == [
        "0.0 0.2 0.4 0.6 0.8",
        "0.0 0.5 1.0",
        "0.0 0.2 0.4",
        "0.8 0.9",
        "0 10 20",
        "−0.2 0.0 0.2 0.4",
        "0.00000 0.00001 0.00002",
        "0.0 0.1 0.2 0.3",
    ]


def lengths_in_page(browser, topic, run, documents, results):
    """Count, in the page itself, the text in every state in each document after each result."""
    lengths_at = {}
    for document, name in enumerate(documents):
        browser.go(f"#v=document&t={topic}&a={quote(run)}&w=0&d={name}&k=0")
        for k in range(results + 1):
            lengths_at[document, k] = browser.run(
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
    return lengths_at


def test_coloured_text_adds_up_to_the_scores_at_every_rank(browser, page, campaign):
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
    lengths_at = lengths_in_page(browser, names[topic], run, documents, len(results))
    assert len(results) == 12 and browser.log() == []
    for k in range(len(results) + 1):
        times = {}
        for result in results[:k]:
            for i in range(result["start"], result["end"]):
                times[result["document"], i] = times.get((result["document"], i), 0) + 1
        for d, document in enumerate(documents):
            expected = {}
            for point in {p for p in gold | set(times) if p[0] == document}:
                read = times.get(point, 0)
                state = ("found" if point in gold else "other") if read else "missed"
                if read > 1:
                    state += " again"
                expected[state] = expected.get(state, 0) + 1
            lengths_shown = lengths_at[d, k]
            assert {name: lengths_shown.get(name, 0) for name in expected} == expected, (document, k)
            assert lengths_shown["all"] - lengths_shown.get("unread", 0) == sum(expected.values())
            again = sum(n - 1 for p, n in times.items() if p[0] == document)
            assert lengths_shown["told found"] == expected.get("found", 0) + expected.get("found again", 0)
            assert lengths_shown["told missed"] == expected.get("missed", 0)
            assert lengths_shown["told other"] == expected.get("other", 0) + expected.get("other again", 0)
            assert lengths_shown["told again"] == again
        if k == 0:
            continue
        read = {
            name: sum(lengths_at[d, k].get(name, 0) for d in range(len(documents)))
            for name in ("found", "found again", "other", "other again")
        }
        inputs = {key: campaign[key] for key in ("gold", "texts")} | {"runs": {run: campaign["runs"][run]}}
        scores = focuseval.score([f"char_recall@{k}", f"char_precision@{k}"], **inputs, per_topic=True)
        of = scores[scores["topic"] == names[topic]].set_index("measure")["value"]
        right, total = read["found"] + read["found again"], sum(read.values())
        assert right / len(gold) == pytest.approx(of[f"char_recall@{k}"], abs=1e-12)
        assert right / total == pytest.approx(of[f"char_precision@{k}"], abs=1e-12)


def test_the_page_can_be_used_with_keys_alone(browser, page):
    browser.open(page)

    def press(*keys):
        ActionChains(browser.chrome).send_keys(*keys).perform()

    def reach(script):
        for _ in range(300):
            if browser.run(f"const at = document.activeElement; return {script}"):
                return
            press(Keys.TAB)
        raise AssertionError(f"not reached by Tab: {script}")

    def follow(key, expected_view):
        browser.run("delete document.body.dataset.shown")
        press(key)
        browser.wait("document.body.dataset.shown")
        assert browser.wait(
            "new URLSearchParams(location.hash.slice(1)).get('v') === arguments[0]", expected_view
        )
        assert browser.run("return document.activeElement.tagName") == "H2"

    press(Keys.TAB)
    assert browser.run("return document.activeElement.className") == "skip"
    press(Keys.ENTER)
    assert browser.run("return document.activeElement.id") == "main"
    reach("at.matches('thead button')")
    before = browser.texts_at("tbody th")
    press(Keys.ENTER)
    press(Keys.ENTER)
    assert sorted(browser.texts_at("tbody th")) == sorted(before)
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
def test_text_has_contrast_and_everything_to_use_has_a_name(browser, page, dark):
    for view in VIEWS:
        browser.open(page, f"#v={view}&t=t2&k=7", dark=dark)
        browser.run("document.querySelectorAll('details').forEach((one) => { one.open = true; })")
        assert browser.run(NAMELESS) == []
        assert browser.run(FAINT) == [], view


@pytest.mark.parametrize("width, dark", [(400, False), (1300, False), (1300, True)])
def test_the_report_fits_the_window_has_contrast_and_runs_no_script(browser, tmp_path, width, dark):
    long, table = "word" * 90, pd.DataFrame([[0.123456789] * 30], columns=[f"column_{n}" for n in range(30)])
    claim = Finding("many", "1", long, long, [Inequality(long, 0.25, ">", 0.5)] * 9)
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
    visible = "document.getElementById('a-name:broad').checkVisibility()"
    assert not browser.run(f"return {visible}")
    browser.run("location.hash = 'a-name:broad'")
    browser.wait(visible)
    # the smallest text of figures, 8 points, is readable
    scale = "svg.getBoundingClientRect().width / svg.viewBox.baseVal.width"
    assert browser.run(f"const svg = document.querySelector('#a-name figure svg'); return 8 * {scale}") >= 9
    # a wide page has its contents at its side, a narrow page at its top
    seen = browser.run("return [...document.querySelectorAll('nav')].map((nav) => nav.offsetWidth > 0)")
    assert seen == [width == 1300, width == 400]
    browser.run("document.querySelectorAll('details').forEach((one) => { one.open = true; })")
    assert browser.run(FAINT) == [] and browser.run(NAMELESS) == []
    assert browser.run("return document.querySelectorAll('summary a, summary button, th:empty').length") == 0
    # figures turn dark with the page, including text on the drawing's background
    filters = "[...document.querySelectorAll('figure svg')].map((one) => getComputedStyle(one).filter.includes('invert'))"
    assert set(browser.run(f"return {filters}")) == {dark}


def test_a_printed_page_has_every_cell_of_a_table(browser, tmp_path):
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


def everywhere(browser, page, check):
    for view in VIEWS:
        browser.open(page, f"#v={view}&k=1")
        check()


def test_hostile_text_is_shown_and_never_run(browser, hostile):
    def check():
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


def test_a_script_that_gets_into_the_page_is_refused(browser, hostile):
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


def test_documents_of_a_large_campaign_are_loaded_from_a_folder_next_to_the_page(browser, campaign, tmp_path):
    contents = view_of(campaign, resamples=50).contents
    folder = tmp_path / "a folder's name"
    folder.mkdir()
    parts = save(contents, folder / "p.html", EMPTY + 500)
    assert parts.topics and parts.documents
    topic, document = contents.core["topics"][3]["name"], contents.topics[3]["documents"][0]
    browser.open(folder / "p.html", f"#v=document&t={topic}&k=2")
    browser.wait("document.querySelector('.page span')")
    text = browser.run(
        "return [...document.querySelectorAll('.block')].map((one) => one.textContent).join('')"
    )
    assert text == campaign["texts"][document] and browser.log() == []
    shutil.move(folder / "p_files", tmp_path / "elsewhere")
    browser.open(folder / "p.html", f"#v=topic&t={topic}")
    assert "which is not next to this page" in browser.texts_at("main .warning")[0]


def test_missing_files_next_to_the_page_are_reported(browser, campaign, tmp_path):
    contents = view_of(campaign, resamples=50).contents
    sizes = (
        EMPTY + 500,
        next(size for size in range(EMPTY + 500, 10**6, 500) if not page_of(contents, size).topics),
    )
    warnings = []
    for size in sizes:
        parts = save(contents, tmp_path / "p.html", size, alone=True)
        assert parts.documents
        topic = contents.core["topics"][3]["name"]
        for document in contents.topics[3]["documents"]:
            browser.open(tmp_path / "p.html", f"#v=document&t={topic}&d={document}")
            warnings += browser.texts_at("main .warning")
    assert set(warnings) == {
        "The results for this topic did not fit into this page and are left out.",
        "The text of this document did not fit into this page and is left out.",
    }


def test_nested_elements_are_brackets_with_their_paths(browser, tmp_path):
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
def test_many_chunks_of_one_place_are_side_by_side(browser, width):
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


def test_the_page_works_in_a_notebook(browser, campaign, tmp_path):
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


def garden_view(folder, *measures, **how):
    assert main(["init", str(folder / "garden")]) == 0
    garden = folder / "garden"
    inputs = {"gold": garden / "gold.jsonl", "runs": garden / "runs", "documents": garden / "documents"}
    return focuseval.view([*measures], **inputs, baseline="sections", **how)


def draw(browser, name, width, height):
    """With REWRITE=1, draw a picture of the documentation."""
    if REWRITE:
        browser.run("scrollTo(0, 0)")
        size = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": False}
        browser.chrome.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)
        browser.chrome.execute_cdp_cmd("Emulation.setScrollbarsHidden", {"hidden": True})
        browser.chrome.save_screenshot(str(ROOT / "docs" / f"{name}.png"))


def test_the_example_shows_text_that_is_read_again(browser, tmp_path):
    """The pictures are in README.md, docs/view.md and docs/chunks.md."""
    view = garden_view(tmp_path, "AiP", title="A garden's handbook")
    browser.look(view, "#v=topic&a=windows&b=sections&t=q5", width=1000)
    draw(browser, "topic", 1000, 1100)
    browser.click("details a[href*='watering']")
    browser.wait("document.querySelector('.page span')")
    (summary,) = browser.texts_at("#told")
    assert summary.startswith("After result 4 of 4") and not browser.texts_at(".page .missed")
    browser.look(view, "#v=document&a=windows&b=sections&t=q5&d=watering.md&k=3", width=1100)
    (summary,) = browser.texts_at("#told")
    assert "read again" in summary and browser.texts_at(".page .found.again") != [] != browser.texts_at(
        ".page .other.again"
    )
    draw(browser, "view", 1100, 1240)


def test_a_passage_leads_to_its_document_after_all_results_that_the_measure_reads(browser, tmp_path):
    """The picture is in docs/start.md."""
    browser.look(garden_view(tmp_path, "char_recall@200c", "IoU@200c"), width=1000)
    draw(browser, "start", 1000, 655)
    browser.go("#v=topic&a=windows&b=sections&t=q5")
    browser.click("details a[href*='watering']")
    browser.wait("document.querySelector('.page span')")
    (summary,) = browser.texts_at("#told")
    assert summary.startswith("After result 1 of 4")
    assert browser.texts_at(".page .found") and not browser.texts_at(".page .missed")
