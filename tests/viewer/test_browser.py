"""The page in a browser, headless Chromium: what is shown, that it works by mouse and by keys, and that lengths add up."""

import html
import shutil
from collections.abc import Callable, Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

import focuseval
from focuseval.viewer.page import page as page_of
from focuseval.viewer.page import save

from .made import HOSTILE, hostile_campaign, random_campaign, view_of, write_xml

PROGRAMS = ("chromium", "chromedriver")
if missing := [name for name in PROGRAMS if shutil.which(name) is None]:
    pytest.skip(f"no browser here: {' and '.join(missing)} not installed", allow_module_level=True)
selenium = pytest.importorskip("selenium")

from selenium.webdriver import ActionChains, Chrome, ChromeOptions, ChromeService, Keys  # noqa: E402
from selenium.webdriver.support.ui import Select, WebDriverWait  # noqa: E402

pytestmark = pytest.mark.filterwarnings("ignore::focuseval.errors.InputWarning")

VIEWS = ("runs", "topics", "topic", "document")


@pytest.fixture(scope="module")
def chrome() -> Iterator[Chrome]:
    options = ChromeOptions()
    for argument in ("--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"):
        options.add_argument(argument)
    options.binary_location = str(shutil.which("chromium"))
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    driver = Chrome(options=options, service=ChromeService(shutil.which("chromedriver")))
    driver.set_page_load_timeout(60)
    yield driver
    driver.quit()


class Browser:
    """A browser with a page."""

    def __init__(self, chrome: Chrome) -> None:
        self.chrome = chrome

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
        self.wait("document.body.dataset.shown")

    def go(self, place: str) -> None:
        self.run("delete document.body.dataset.shown; location.hash = arguments[0]", place)
        self.wait("document.body.dataset.shown")

    def click(self, selector: str) -> None:
        self.run("delete document.body.dataset.shown; document.querySelector(arguments[0]).click()", selector)

    def shown(self, selector: str) -> list[str]:
        return self.run(
            "return [...document.querySelectorAll(arguments[0])].map((one) => one.innerText)", selector
        )

    def log(self) -> list[str]:
        return [entry["message"] for entry in self.chrome.get_log("browser")]


@pytest.fixture
def browser(chrome: Chrome) -> Browser:
    chrome.get_log("browser")
    return Browser(chrome)


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


@pytest.mark.parametrize("width", [1300, 400])
def test_every_view_opens_without_a_message_and_fits_the_window(
    browser: Browser, page: Path, width: int
) -> None:
    for view in VIEWS:
        browser.open(page, f"#v={view}&t=1&k=3", width)
        assert browser.run("return document.querySelectorAll('h2').length") == 1
        assert browser.run("return document.documentElement.scrollWidth") <= width, view
    assert browser.log() == []


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
    browser.click("a[href*='v=topics&m=0&a=1&']")
    browser.wait("document.querySelector('.strip')")
    assert browser.shown("h2") == ["Where is run 1 better than run 2?"]
    differences = [
        float(text.replace("−", "-")) for text in browser.shown("main > .wide tbody td:nth-child(4)")
    ]
    assert differences == sorted(differences, reverse=True) and len(differences) == 6
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


def test_topics_that_the_means_are_over_are_counted(browser: Browser, tmp_path: Path) -> None:
    qrels, run = tmp_path / "qrels", tmp_path / "run"
    qrels.write_text("1 0 d 1\n2 0 d 1\n3 0 d 0\n", encoding="utf-8")
    run.write_text("".join(f"{topic} Q0 d 1 1.0 x\n" for topic in (1, 2, 3)), encoding="utf-8")
    page = tmp_path / "page.html"
    focuseval.view(["AP"], runs=run, assessments=qrels, resamples=10).save(page)
    browser.open(page)
    assert "AP: means over 2 of 3 topics, those with something relevant." in browser.shown("main")[0]
    qrels.write_text("1 0 d 1\n2 0 d 1\n", encoding="utf-8")
    focuseval.view(["AP"], runs=run, assessments=qrels, resamples=10).save(page)
    browser.open(page)
    assert "2 topics. A run" in browser.shown("main")[0]


def test_differences_have_one_zero_line(browser: Browser, tmp_path: Path) -> None:
    """Whether a topic is won, lost or tied: numbers with and without a sign are equally wide."""
    gold = [{"topic": f"t{t}", "document": "d", "start": 0, "end": 8} for t in range(3)]
    runs = {
        name: [{**line, "end": end} for line, end in zip(gold, ends, strict=True)]
        for name, ends in (("a", (4, 4, 8)), ("b", (4, 8, 4)))
    }
    view_of({"measures": ["char_recall"], "gold": gold, "runs": runs}, resamples=10).save(
        tmp_path / "page.html"
    )
    browser.open(tmp_path / "page.html", "#v=topics")
    assert sorted(browser.shown(".amount")) == ["+0.500", "0.000", "−0.500"]
    script = (
        "return [...document.querySelectorAll('.diverging')].map((one) => one.getBoundingClientRect().left)"
    )
    assert len(set(browser.run(script))) == 1


def test_results_and_gold_are_quoted_and_headings_cut_at_words(browser: Browser, tmp_path: Path) -> None:
    long = "words " * 30
    text = f"# {long}\n\nShort is the 𝒜nswer.\n\n## {'x' * 120}\n\nEnd.\n"
    start = text.index("Short")
    chunk = {"topic": "q", "document": "d.md", "start": start, "end": start + 21}
    ranked = [chunk, {**chunk, "start": 0, "end": len(text)}, {**chunk, "start": start + 12}]
    campaign = {"measures": ["AiP"], "gold": [chunk], "runs": {"run": ranked}, "texts": {"d.md": text}}
    view_of(campaign, resamples=10).save(tmp_path / "page.html")
    browser.open(tmp_path / "page.html", "#v=topic")
    browser.wait("[...document.querySelectorAll('.quoted')].every((one) => one.textContent)")
    answer, first = "Short is the 𝒜nswer.", f"# {('words ' * 16).strip()}…"
    assert browser.shown(".quoted") == [answer, first, "𝒜nswer.", answer]
    browser.go("#v=document")
    assert browser.shown(".outline li") == [f"{('words ' * 15).strip()}…", f"{'x' * 90}…"]
    assert browser.log() == []


def test_where_a_measure_stops_reading_is_marked_and_counted(browser: Browser, tmp_path: Path) -> None:
    text = "# Beds\n\n" + "Soil and compost. " * 12
    spans = [(8, 28), (0, 36), (30, 40)]  # the gold is whole after the third
    ranked = [{"topic": "q", "document": "d.md", "start": start, "end": end} for start, end in spans]
    gold = [{"topic": "q", "document": "d.md", "start": 20, "end": 40}]
    measures = ["char_recall@25c", "P(relevant=touches)@1", "char_recall"]
    campaign = {"measures": measures, "gold": gold, "runs": {"run": ranked}, "texts": {"d.md": text}}
    view_of(campaign, resamples=10).save(tmp_path / "page.html")
    browser.open(tmp_path / "page.html", "#v=topic")

    def rows() -> list[str | None]:
        return browser.run(
            "return [...document.querySelectorAll('.list tbody tr')].map((row) => row.className)"
        )

    assert rows() == ["has", "", "limit", "beyond"]
    assert browser.shown(".list .limit") == ["The measure reads no further: 25 characters."]
    assert browser.shown(".list .note") == [
        "3 results. Read within 25 characters: 25 characters, with 8 of 20 gold (40 %)."
    ]
    assert browser.shown(".list .why")[1:] == [
        "read in part: its first 5 characters, with 0 new gold",
        "not read by the measure",
    ]
    assert "✓ all, at ranks 1 to 3" in browser.shown("main")[0]
    assert "in whole lists" in browser.shown("main")[0]
    browser.go("#v=topic&m=1")
    assert rows() == ["has", "limit", "beyond", "beyond"]
    browser.go("#v=topic&m=2")
    assert rows() == ["has", "has", "has"]
    browser.go("#v=document&m=0&k=3")
    assert "char_recall@25c 0.400, which reads no further than 25 characters." in browser.shown("#told")[0]
    of_articles = {**campaign, "measures": ["gP@1"], "runs": {"run": ranked[::2]}}
    view_of(of_articles, resamples=10).save(tmp_path / "page.html")
    browser.open(tmp_path / "page.html", "#v=topic")
    assert browser.shown(".list .note")[0].startswith("2 results. Read in the whole list: 30 characters")
    assert browser.log() == []


def test_passages_that_happen_to_be_elements_have_offsets_as_others_do(
    browser: Browser, tmp_path: Path
) -> None:
    text = "# Beds\n\nSoil.\n\n# Heaps\n\nCompost.\n"
    chunk = {"topic": "q", "document": "d.md", "start": 0, "end": text.index("# Heaps")}
    ranked = [chunk, {**chunk, "start": 3, "end": 12}]
    campaign = {"measures": ["AiP"], "gold": [chunk], "runs": {"run": ranked}, "texts": {"d.md": text}}
    view_of(campaign, resamples=10).save(tmp_path / "page.html")
    browser.open(tmp_path / "page.html", "#v=topic")
    assert browser.shown(".list .path") == ["0–15", "3–12"]
    titles = browser.run("return [...document.querySelectorAll('.list .path')].map((one) => one.title)")
    assert titles == ["/document[1]/section[1]", ""]
    assert browser.log() == []


def lengths_in_page(
    browser: Browser, topic: int, run: int, documents: int, results: int
) -> dict[tuple[int, int], dict[str, int]]:
    """How much text stands in every state in each document after each result, counted in the page itself."""
    found = {}
    for document in range(documents):
        browser.go(f"#v=document&t={topic}&a={run}&w=0&d={document}&k=0")
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
    found = lengths_in_page(browser, topic, contents.core["runs"].index(run), len(documents), len(results))
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
        "const td = document.activeElement.parentNode; return [td.cellIndex, td.parentNode.rowIndex]"
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
        browser.open(page, f"#v={view}&t=2&d=1&k=7", dark=dark)
        browser.run("document.querySelectorAll('details').forEach((one) => { one.open = true; })")
        assert browser.run(NAMELESS) == []
        assert browser.run(FAINT) == [], view


def everywhere(browser: Browser, page: Path, check: Callable[[], None]) -> None:
    for view in VIEWS:
        browser.open(page, f"#v={view}&t=0&k=1")
        check()


def test_hostile_text_is_shown_and_never_run(browser: Browser, hostile: Path) -> None:
    def check() -> None:
        assert browser.chrome.title.startswith(HOSTILE.split("\u2028")[0])
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
    made = save(contents, folder / "p.html", 66_000)
    assert made.topics and made.documents
    document = contents.topics[3]["documents"][0]
    browser.open(folder / "p.html", "#v=document&t=3&d=0&k=2")
    browser.wait("document.querySelector('.page span')")
    text = browser.run(
        "return [...document.querySelectorAll('.block')].map((one) => one.textContent).join('')"
    )
    assert text == campaign["texts"][document] and browser.log() == []
    shutil.move(folder / "p_files", tmp_path / "elsewhere")
    browser.open(folder / "p.html", "#v=topic&t=3")
    assert "which is not beside this page" in browser.shown("main .warning")[0]


def test_what_does_not_fit_into_a_page_alone_is_told(
    browser: Browser, campaign: dict[str, Any], tmp_path: Path
) -> None:
    contents = view_of(campaign, resamples=50).contents
    sizes = (66_000, next(size for size in range(66_000, 10**6, 500) if not page_of(contents, size).topics))
    told = []
    for size in sizes:
        made = save(contents, tmp_path / "p.html", size, alone=True)
        assert made.documents
        for document in range(3):
            browser.open(tmp_path / "p.html", f"#v=document&t=3&d={document}")
            told += browser.shown("main .warning")
    assert set(told) == {
        "The results for this topic did not fit into this page and are left out.",
        "The text of this document did not fit into this page and is left out.",
    }


def test_a_document_whose_text_is_unknown_shows_where_results_stand(
    browser: Browser, campaign: dict[str, Any], tmp_path: Path
) -> None:
    known = {key: value for key, value in campaign.items() if key != "texts"}
    view_of(known, resamples=50).save(tmp_path / "page.html")
    browser.open(tmp_path / "page.html", "#v=document&t=1&d=0&k=12")
    assert "not at hand" in browser.shown("main .warning")[0]
    assert browser.run("return document.querySelectorAll('.overview i').length") > 1
    assert browser.log() == []


def test_nested_elements_are_brackets_with_their_paths(browser: Browser, tmp_path: Path) -> None:
    collection, gold, run = write_xml(tmp_path)
    view = focuseval.view(["char_recall"], assessments=gold, runs=run, collection=collection)
    view.save(tmp_path / "page.html")
    browser.open(tmp_path / "page.html", "#v=document&k=3")
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
def test_many_chunks_of_one_place_stand_side_by_side(browser: Browser, tmp_path: Path, width: int) -> None:
    texts = {
        "a.txt": "\n\n".join(f"Sentence {i} tells of the garden and what grows in it." for i in range(60))
    }
    spans = [{"topic": "q", "document": "a.txt", "start": 100 * i, "end": 2000 + i} for i in range(13)]
    gold = [{"topic": "q", "document": "a.txt", "start": 5, "end": 9}]
    focuseval.view("char_recall", texts=texts, gold=gold, runs={"r": spans}).save(tmp_path / "page.html")
    browser.open(tmp_path / "page.html", "#v=document&k=13", width)
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
    view.save(tmp_path / "page.html")
    browser.open(tmp_path / "page.html", "#v=document&k=2")
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
