"""Scripts of the workflow, run by themselves on files in a folder."""

import re
import runpy
from types import SimpleNamespace

from tests.papers.materials import ROOT


class NamedFiles(list[str]):
    """Files by names, like those that Snakemake passes to scripts; a name may have several files or none."""

    def __init__(self, files):
        several = {name: of if isinstance(of, list) else [of] for name, of in files.items()}
        super().__init__(str(file) for of in several.values() for file in of)
        for name, of in files.items():
            self.__dict__[name] = [str(one) for one in of] if isinstance(of, list) else str(of or "")

    def __getitem__(self, key):
        return self.__dict__[key] if isinstance(key, str) else super().__getitem__(key)


def run_script(name, inputs, outputs, params, wildcards, log):
    """Run a script and return its log."""
    for path in outputs.values():
        path.parent.mkdir(parents=True, exist_ok=True)
    snakemake = SimpleNamespace(
        input=NamedFiles(inputs),
        output=NamedFiles(outputs),
        params=SimpleNamespace(**params),
        wildcards=SimpleNamespace(**wildcards),
        log=[str(log)],
        threads=2,
    )
    runpy.run_path(str(ROOT / f"scripts/{name}.py"), {"snakemake": snakemake}, "__main__")
    return re.sub(r"took .*", "took ...", log.read_text(encoding="utf-8")).strip()
