"""A page of full size: how long it takes to make, how large it is, and how soon it can be used in Chromium.

    python benchmarks/view.py

20 runs, 100 topics, 100 results each, on 250 documents of 100 kB. Without Chromium only the first two are measured.
"""

import json
import string
import sys
import tempfile
import time
from pathlib import Path

import numpy as np
from measuring import Measured, least, record

RUNS, TOPICS, RESULTS, SIZE, DOCUMENTS = 20, 100, 100, 100_000, 250
CHROMIUM = Path("/usr/bin/chromium")

#: a page with the hash of each view, and what says that it is shown
VIEWS = ("", "#v=topics", "#v=topic&t=3", "#v=document&t=3&k=50")
SHOWN = """new MutationObserver(() => {
  if (document.body?.dataset.shown && !window.usable) window.usable = performance.now();
}).observe(document, { subtree: true, childList: true, attributes: true })"""


def write(folder: Path, documents: int, rng: np.random.Generator) -> None:
    """Documents, gold and runs; three results of ten are in documents with gold."""
    letters = np.array(list(string.ascii_lowercase))
    words = ["".join(rng.choice(letters, rng.integers(2, 12))) for _ in range(8000)]
    weights = 1 / np.arange(5, 8005)
    weights /= weights.sum()
    for part in ("documents", "runs"):
        (folder / part).mkdir(parents=True, exist_ok=True)
    for d in range(documents):
        paragraphs, size = [], 0
        while size < SIZE:
            heading = len(paragraphs) % 12 == 0
            text = " ".join(rng.choice(words, 5 if heading else int(rng.integers(40, 160)), p=weights))
            paragraphs.append(f"## {text}\n\n" if heading else f"{text}.\n\n")
            size += len(paragraphs[-1])
        (folder / f"documents/d{d}.md").write_text("".join(paragraphs)[:SIZE])
    relevant = [rng.choice(documents, rng.integers(3, 16), replace=False) for _ in range(TOPICS)]
    with open(folder / "gold.jsonl", "w") as gold:
        for t in range(TOPICS):
            for d in np.repeat(relevant[t], 3).tolist():
                start = int(rng.integers(0, SIZE - 2000))
                span = {"start": start, "end": start + int(rng.integers(50, 1500))}
                gold.write(json.dumps({"topic": f"t{t}", "document": f"d{d}.md", **span}) + "\n")
    for r in range(RUNS):
        with open(folder / f"runs/r{r}.jsonl", "w") as run:
            for t in range(TOPICS):
                inside = rng.choice(relevant[t], RESULTS)
                document = np.where(rng.random(RESULTS) < 0.3, inside, rng.integers(0, documents, RESULTS))
                start = rng.integers(0, SIZE // 200 - 15, RESULTS) * 200
                end = start + rng.choice([200, 400, 1000, 3000], RESULTS)
                for k, d, a, b in zip(
                    range(RESULTS), document.tolist(), start.tolist(), end.tolist(), strict=True
                ):
                    found = {"topic": f"t{t}", "document": f"d{d}.md", "start": a, "end": b, "rank": k + 1}
                    run.write(json.dumps(found) + "\n")


def usable_after(page: Path) -> float:
    """Return the seconds by the clock until the slowest of the views can be used in Chromium."""
    from selenium.webdriver import Chrome, ChromeOptions, ChromeService

    options = ChromeOptions()
    for argument in ("--headless=new", "--no-sandbox", "--disable-gpu"):
        options.add_argument(argument)
    options.binary_location = str(CHROMIUM)
    driver = Chrome(options=options, service=ChromeService("/usr/bin/chromedriver"))
    driver.execute_cdp_cmd("Page.addScriptToEvaluateOnNewDocument", {"source": SHOWN})
    took = []
    for view in VIEWS:
        driver.get("about:blank")
        driver.get(page.resolve().as_uri() + view)
        while not (usable := driver.execute_script("return window.usable")):
            time.sleep(0.01)
        took.append(usable / 1000)
    driver.quit()
    return max(took)


def main() -> None:
    """Measure a page."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        write(folder, DOCUMENTS, np.random.default_rng(2006))
        page = folder / "page.html"
        inputs = {"collection": "documents", "assessments": "gold.jsonl", "run": "runs"}
        given = [part for option, path in inputs.items() for part in (f"--{option}", str(folder / path))]
        asked = ["--measure", "AiP", "--measure", "char_recall", "--output", str(page)]
        made = least([sys.executable, "-m", "focuseval", "view", *given, *asked], 1)
        rows = [
            Measured("writing the page", made.seconds, "s of CPU", bound="ours <= 15"),
            Measured("size of the page", page.stat().st_size / 1e6, "MB", bound="ours <= 20"),
        ]
        if CHROMIUM.exists():
            rows.append(
                Measured("time until its slowest view is usable", usable_after(page), "s by the clock")
            )
    record("view", rows)


if __name__ == "__main__":
    main()
