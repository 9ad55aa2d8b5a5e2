"""Pages of the site that `mkdocs build` generates (mkdocs.yml).

README.md, CHANGELOG.md and CONTRIBUTING.md become pages. docs/measures.md becomes a page for each family, with its
values on an example list, and docs/errata.md with docs/reproduced.md a page for each paper. Docstrings, the help of the
commands, notebooks and BibTeX become pages too. The gallery gets a page of `focuseval view`. Links to files outside
this folder become text.
"""

import ast
import contextlib
import inspect
import io
import json
import re
import tempfile
import warnings
from functools import cache
from pathlib import Path
from typing import Any
from unittest import mock

import pandas as pd
from markdown.extensions.toc import slugify
from mkdocs.structure.files import File

import focuseval
from focuseval import functional
from focuseval.campaign.settings import InputSettings
from focuseval.cli import COMMANDS, main
from focuseval.measures import MEASURES
from focuseval.report.tables import pipe_table

DOCS = Path(__file__).parent
ROOT = DOCS.parent
#: pages made of files outside this folder
BESIDE = {"index.md": "README.md", "changelog.md": "CHANGELOG.md", "contributing.md": "CONTRIBUTING.md"}
#: front matter of a page that the search skips
NOT_SEARCHED = "---\nsearch: {exclude: true}\n---\n\n"
#: the mark of a decision on a page of its own, which does not explain it
DECISION = '[**D**](../measures.md "a decision that the source leaves open")'
#: the mark of a table of measures, which names them
TABLE = re.compile(r"^<!-- measures: (?!end)(.+) -->$", re.MULTILINE)
#: the first section of docs/measures.md that becomes a page
FIRST_FAMILY = "precall"
#: the report of the example, which `make site` writes
REPORT = ROOT / "results" / "site-example" / "results" / "report.html"


def on_config(config: Any) -> None:
    """Add the pages of measures and papers to the navigation."""
    by_title = {title: pages for entry in config.nav for title, pages in entry.items()}
    by_title["Measures"] += measure_groups()
    by_title["Papers"] += [{"Each paper": [f"papers/{name}.md" for name in papers()[1]]}]


def on_files(files: Any, config: Any) -> None:
    """Add the pages that are generated here."""
    made = {page: (ROOT / source).read_text(encoding="utf-8") for page, source in BESIDE.items()}
    made["changelog.md"] = f"{NOT_SEARCHED}{made['changelog.md']}"  # the search would find old names first
    overview, of_families = sections()
    made["measures.md"] = overview
    made |= {f"measures/{name}.md": text for name, text in of_families.items()}
    made |= papers()[0]
    made |= {f"papers/{name}.md": text for name, text in papers()[1].items()}
    made |= {"api.md": reference(), "commands.md": commands(), "cite.md": citations()}
    notebooks = sorted((DOCS / "notebooks").glob("*.ipynb"))
    made |= {f"notebooks/{path.stem}.md": rendered(path) for path in notebooks}
    made["measures/list.svg"] = picture()
    made["gallery/view.html"] = garden_view()._repr_html_()
    made["gallery.md"] = gallery()
    for path in filter(Path.is_file, REPORT.parent.rglob("*")):
        files.append(
            File.generated(
                config, f"gallery/report/{path.relative_to(REPORT.parent)}", abs_src_path=str(path)
            )
        )
    for page, text in made.items():
        if (old := files.get_file_from_path(page)) is not None:
            files.remove(old)
        files.append(File.generated(config, page, content=text))


def on_page_markdown(markdown: str, page: Any, config: Any, files: Any) -> str:
    """Turn names of pages into links, and links out of this folder into text."""
    up = "../" * page.file.src_uri.count("/")
    text = re.sub(r"\]\(docs/", f"]({up}", markdown)
    for target, source in BESIDE.items():
        text = text.replace(f"]({source})", f"]({up}{target})").replace(f"](../{source})", f"]({up}{target})")
    if page.file.src_uri == "notebooks/index.md":
        text = text.replace(".ipynb)", ".md)")
    names = "|".join(path.stem for path in DOCS.glob("*.md"))
    text = re.sub(rf"(?<!\[)`(?:docs/)?({names})\.md`", rf"[\1]({up}\1.md)", text)
    return re.sub(r"\[([^]\[]*)\]\(\.\./(?!\w+\.md)[^)]*\)", r"\1", text)


# Measures


@cache
def sections() -> tuple[str, dict[str, str]]:
    """Return docs/measures.md without its families, and the pages of the families by their names."""
    text = (DOCS / "measures.md").read_text(encoding="utf-8")
    head, *parts = re.split(r"^(?=## )", text, flags=re.MULTILINE)
    name_of = page_names(text)
    first = [*name_of.values()].index(FIRST_FAMILY)
    families = dict(zip([*name_of.values()][first:], parts[first:], strict=True))
    page_of = {anchor: name for anchor, name in name_of.items() if name in families}

    def linked(markdown: str, up: str) -> str:
        def target(link: re.Match[str]) -> str:
            return f"]({up}{page_of[link[1]]}.md)" if link[1] in page_of else link[0]

        return re.sub(r"\]\(#([\w-]+)\)", target, markdown)

    pages = {}
    for name, part in families.items():
        body = re.sub(r"^##(?=#* )", "#", part, flags=re.MULTILINE)
        body = TABLE.sub(lambda found: example(found[1].split()), body)
        pages[name] = linked(one_folder_down(body), "").replace("**D**", DECISION)
    rows = [
        (f"[`{one.name}`](measures/{name}.md)", one.summary, one.paper)
        for name, part in families.items()
        for named in TABLE.findall(part)
        for one in map(MEASURES.__getitem__, named.split())
    ]
    index = "## All measures\n\n" + pipe_table(("measure", "value", "source"), rows)
    return linked(head + "".join(parts[:first]), "measures/") + index, pages


def page_names(text: str) -> dict[str, str]:
    """Return the name of the page of each section, by the section's anchor."""
    titles = re.findall(r"^## (.*)$", text, flags=re.MULTILINE)
    return {
        slugify(title, "-"): re.sub(r"\W+", "-", title.partition(":")[0].partition(",")[0].lower())
        for title in titles
    }


def one_folder_down(markdown: str) -> str:
    """Return a page with its links to other pages as a subfolder needs them."""
    return re.sub(r"\]\((?=[a-z-]+\.md)", "](../", markdown)


def measure_groups() -> list[dict[str, list[str]]]:
    """Return the pages of families in the groups that the list in docs/measures.md has."""
    text = (DOCS / "measures.md").read_text(encoding="utf-8")
    families, name_of = sections()[1], page_names(text)
    groups = []
    for title, links in re.findall(r"^- \*\*(.*)\*\*\n((?:    - .*\n)+)", text, flags=re.MULTILINE):
        names = [name_of[anchor] for anchor in re.findall(r"\(#([\w-]+)\)", links)]
        if pages := [f"measures/{name}.md" for name in names if name in families]:
            groups.append({title: pages})
    return groups


#: a small campaign: two documents with gold and one without, and a list of five of their elements
DOCUMENTS = {
    "a": "<article><sec><p>%s</p><p>%s</p></sec><sec><p>%s</p></sec></article>",
    "b": "<article><p>%s</p><p>%s</p></article>",
    "c": "<article><p>%s</p></article>",
}
PARAGRAPH = "Nine by 9 " * 8
GOLD = [("a", 80, 160, "one"), ("a", 190, 220, "two"), ("b", 0, 40, "one")]
LIST = [("a", 0, 160), ("c", 0, 80), ("a", 80, 160), ("b", 0, 80), ("a", 160, 240)]
#: parameters of measures whose defaults give no value on this campaign
WITH = {"precall": "(quantisation=generalised)", "P": "(relevant=touches)", "Recall": "(relevant=touches)"}
WITH |= dict.fromkeys(("Success", "RR", "AP", "nDCG", "Rprec", "RBP", "INST"), "(relevant=touches)")
CUTOFFS = {"rank": "@5", "level": "@0.5", "share": "@0.5"}


def values(measures: list[str]) -> dict[str, list[float]]:
    """Return the values of measures for the first result of the list, the first two, and so on."""
    names = [
        one.name + WITH.get(one.name, "") + ("" if one.value else CUTOFFS[one.cutoffs[0].kind.name])
        for one in map(MEASURES.__getitem__, measures)
    ]
    with tempfile.TemporaryDirectory() as folder, warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for name, xml in DOCUMENTS.items():
            (Path(folder) / f"{name}.xml").write_text(xml.replace("%s", PARAGRAPH))
        results = pd.DataFrame(LIST, columns=["document", "start", "end"])
        results = results.assign(topic="t", rank=results.index + 1)
        gold = pd.DataFrame(GOLD, columns=["document", "start", "end", "aspects"]).assign(topic="t")
        gold["aspects"] = gold["aspects"].map(lambda aspect: [aspect])
        runs = {str(k): results[:k] for k in range(1, len(LIST) + 1)}
        scores = focuseval.score(names, runs=runs, gold=gold, collection=folder, lenient=True)
    return {name: list(found["value"]) for name, found in scores.groupby("measure", sort=False)}


def example(measures: list[str]) -> str:
    """Return the picture of the list, and a table of its values under some measures."""
    try:
        found = values(measures)
    except focuseval.InputError:  # it needs entry points
        return ""
    ranks = [f"after result {rank}" for rank in range(1, len(LIST) + 1)]
    rows = [(f"`{name}`", *(f"{number:.3f}" for number in numbers)) for name, numbers in found.items()]
    return (
        "![A list of five results in three documents: gold that was read, other text, text read before](list.svg)\n\n"
        f"Values if this list ends after its first result, its second, and so on:\n\n{pipe_table(('', *ranks), rows)}\n"
    )


#: height of a row, width of a character, and where documents begin
ROW, WIDTH, BEGIN = 24, 1.0, {"a": 60, "b": 320, "c": 500}
STYLE = """text{font:13px sans-serif;fill:#475569} .document{fill:#e2e8f0} .gold{fill:#059669} .read{fill:#94a3b8}
.again{fill:#581c87} .missed{fill:#fbbf24}"""


def picture() -> str:
    """Draw the list under its documents: gold that is read, other text, text that was read before."""
    lengths = {name: xml.count("%s") * len(PARAGRAPH) for name, xml in DOCUMENTS.items()}
    shapes = []

    def bar(document: str, start: int, end: int, row: int, kind: str) -> None:
        x, width = BEGIN[document] + start * WIDTH, (end - start) * WIDTH
        shapes.append(f'<rect class="{kind}" x="{x:g}" y="{row * ROW + 6}" width="{width:g}" height="14"/>')

    def label(x: float, row: int, text: str) -> None:
        shapes.append(f'<text x="{x:g}" y="{row * ROW + 18}">{text}</text>')

    label(0, 1, "gold")
    for name, length in lengths.items():
        label(BEGIN[name], 0, f"document {name}")
        bar(name, 0, length, 1, "document")
    for document, start, end, _ in GOLD:
        bar(document, start, end, 1, "missed")
    gold = {(document, i) for document, start, end, _ in GOLD for i in range(start, end)}
    seen: set[tuple[str, int]] = set()
    for rank, (document, start, end) in enumerate(LIST, 1):
        label(0, rank + 1, f"result {rank}")
        for i in range(start, end, 10):  # everything here begins and ends at tens
            kind = "again" if (document, i) in seen else "gold" if (document, i) in gold else "read"
            bar(document, i, i + 10, rank + 1, kind)
        seen |= {(document, i) for i in range(start, end)}
    legend = len(LIST) + 2
    for place, (kind, text) in enumerate(
        [("missed", "gold"), ("gold", "gold, read"), ("read", "other text, read"), ("again", "read before")]
    ):
        x = 60 + 140 * place
        shapes.append(f'<rect class="{kind}" x="{x}" y="{legend * ROW + 8}" width="14" height="14"/>')
        label(x + 20, legend, text)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 620 {(legend + 1) * ROW + 4}" width="620">'
        f"<style>{STYLE}</style>{''.join(shapes)}</svg>"
    )


# Papers


@cache
def papers() -> tuple[dict[str, str], dict[str, str]]:
    """Return errata.md and reproduced.md without what is on the page of a paper, and these pages by their names."""
    rest, pages = {}, {}
    for source, heading in (("errata.md", "## Errata"), ("reproduced.md", "## Items and claims")):
        text = (DOCS / source).read_text(encoding="utf-8")
        head, *parts = re.split(r"^(?=## )", text, flags=re.MULTILINE)
        links = []
        for part in parts:
            title, _, body = part.removeprefix("## ").partition("\n")
            found = re.match(r"([\w-]+)[^\d]*(\d{4})", title)
            if found is None or "TREC" in title:
                head += part
                continue
            name = f"{found[1].lower().replace('ö', 'oe').replace('-', '')}{found[2]}"
            links.append(f"- [{title}](papers/{name}.md)\n")
            pages[name] = (
                pages.get(name, f"# {title}\n") + f"\n{heading}\n\n{one_folder_down(body).strip()}\n"
            )
        rest[source] = head + "\n## Each paper\n\n" + "".join(links)
    return rest, pages


def citations() -> str:
    """Return the page of BibTeX: an entry for each source of a measure, with the measures that cite it."""
    text = (DOCS / "sources.bib").read_text(encoding="utf-8")
    page = (
        "# How to cite\n\nCite the source of each measure that you report, and focuseval (`CITATION.cff`). "
        "`focuseval measures` names the sources.\n"
    )
    for source, entry in re.findall(r"^% (.*)\n(@(?:.+\n)+?)(?=%|\Z)", text, flags=re.MULTILINE):
        names = ", ".join(f"`{one.name}`" for one in MEASURES.values() if source in one.paper)
        page += f"\n{names}:\n\n```bibtex\n{entry}```\n"
    return page


# The command line and Python


def commands() -> str:
    """Return the page of the command line: the help of every command."""
    page = "# The command line\n\n[Start](start.md) shows most commands at work.\n"
    for name in COMMANDS:
        printed = io.StringIO()
        with (
            mock.patch.dict("os.environ", COLUMNS="100"),
            contextlib.redirect_stdout(printed),
            contextlib.suppress(SystemExit),
        ):
            main([name, "--help"])
        page += f"\n## {name}\n\n```text\n{printed.getvalue()}```\n"
    return page


def reference() -> str:
    """Return the page of Python: the public names, with their signatures and docstrings."""
    text = "# Python\n\n`import focuseval` has these names; each is loaded when it is used.\n\n"
    for name in focuseval.__all__:
        found = getattr(focuseval, name)
        text += f"## {name}\n\n"
        if name == "MEASURES":
            text += "Every [measure](measures.md) by its name: a dictionary of declarations.\n\n"
            continue
        if inspect.isfunction(found):
            text += f"```python\n{signature(name, found)}\n```\n\n"
        text += documented(found)
        for member, method in vars(found).items() if inspect.isclass(found) else ():
            if member[0] != "_" and inspect.isfunction(method):
                text += f"### {name}.{member}\n\n```python\n{signature(member, method)}\n```\n\n{documented(method)}"
    text += f"## focuseval.functional\n\n{documented(functional)}"
    for name, function in vars(functional).items():
        if name[0] != "_" and inspect.isfunction(function) and function.__module__ == functional.__name__:
            text += f"### {name}\n\n```python\n{signature(name, function)}\n```\n\n{documented(function)}"
    text += "## How inputs are read\n\nThe keywords `**inputs` of the functions above.\n\n"
    return text + documented(InputSettings)


def signature(name: str, function: Any) -> str:
    """Return a function's arguments with their defaults, without types; long ones one to a line."""
    found = inspect.signature(function)
    bare = [one.replace(annotation=one.empty) for one in found.parameters.values()]
    text = str(found.replace(parameters=bare, return_annotation=found.empty))
    text = re.sub(r"<function (\w+) at \w+>", r"\1", text)
    return name + (
        text if len(text) < 72 else text.replace("(", "(\n    ", 1).replace(", ", ",\n    ")[:-1] + ",\n)"
    )


def documented(found: Any) -> str:
    """Return a docstring as Markdown: ``name`` with indented text below it is a definition."""
    text = (inspect.getdoc(found) or "").replace("``", "`")
    text = re.sub(r"^(`[^\n]*`)\n {4}(.*(?:\n {4}.*)*)", r"\1\n:   \2\n", text, flags=re.MULTILINE)
    return text + "\n\n"


# Notebooks


def run(notebook: Path, folder: Path) -> list[tuple[str, str]]:
    """Run a notebook; return its cells and their output as pairs of kind (markdown, code, text, html) and content.

    Code runs in the folder, in one namespace, as in Jupyter: the value of a cell's last expression is shown.
    """
    cells = json.loads(notebook.read_text(encoding="utf-8"))["cells"]
    found: list[tuple[str, str]] = []
    names: dict[str, Any] = {"__name__": "__main__"}
    for cell in cells:
        source = "".join(cell["source"])
        if cell["cell_type"] == "markdown":
            found.append(("markdown", source))
            continue
        found.append(("code", source))
        body = ast.parse(source).body
        last = ast.Expression(body.pop().value) if isinstance(body[-1], ast.Expr) else None  # type: ignore[attr-defined]
        printed = io.StringIO()
        with (
            contextlib.chdir(folder),
            contextlib.redirect_stdout(printed),
            warnings.catch_warnings(record=True) as said,
        ):
            warnings.simplefilter("always")
            exec(compile(ast.Module(body, []), str(notebook), "exec"), names)
            shown = None if last is None else eval(compile(last, str(notebook), "eval"), names)
        text = printed.getvalue() + "".join(f"{one.category.__name__}: {one.message}\n" for one in said)
        found += [("text", text)] if text else []
        if shown is not None:
            page = getattr(shown, "_repr_html_", None)
            html = page and re.sub(r"<style scoped>.*?</style>\n?", "", page(), flags=re.DOTALL)
            found.append(("html", html) if html else ("text", repr(shown)))
    return found


def rendered(notebook: Path) -> str:
    """Return the page of a notebook, with its output."""
    fenced = {
        "code": "```python\n{}\n```",
        "text": "```text\n{}\n```",
        "html": '<div class="output">\n{}\n</div>',
    }
    with tempfile.TemporaryDirectory() as folder:
        cells = run(notebook, Path(folder))
    text = "\n\n".join(fenced.get(kind, "{}").replace("{}", content.rstrip("\n")) for kind, content in cells)
    # tables of notebooks look like other tables of the site
    text = text.replace('<table border="1" class="dataframe">', "<table>")
    return text + f"\n\n[Download this notebook]({notebook.name})\n"


# Gallery


def gallery() -> str:
    """Return docs/gallery.md with links to the pages that only the site has."""
    text = (DOCS / "gallery.md").read_text(encoding="utf-8")
    links = {"The page of `focuseval view`": "gallery/view.html"}
    if REPORT.is_file():
        links["The report of a campaign"] = "gallery/report/report.html"
    for title, page in links.items():
        text = text.replace(f"**{title}**", f"[{title}]({page})")
    return text


def garden_view() -> Any:
    """Return the page of `focuseval view` for the example."""
    garden = ROOT / "src" / "focuseval" / "example"
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return focuseval.view(
            ["AiP", "char_recall"],
            collection=garden / "documents",
            gold=garden / "gold.jsonl",
            runs=garden / "runs",
            baseline="sections",
            title="A garden's handbook",
        )
