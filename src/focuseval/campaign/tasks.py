"""The ad hoc tasks of INEX 2005, with their official settings (Kazai & Lalmas 2005, Section 6).

The settings are named like the keys in EvalJ's configuration files, which `focuseval.compat.prop` reads.
"""

from dataclasses import dataclass, replace

#: for each metric of EvalJ: its measures with a rank cut-off, its measures without one, and its curves
METRICS: dict[str, tuple[tuple[str, ...], tuple[str, ...], tuple[str, ...]]] = {
    "nxCG": (("nxCG", "MAnxCG"), (), ("nxCG",)),
    "ep/gr": ((), ("MAep", "iMAep"), ("ep",)),
    "q": ((), ("Q", "R"), ()),
}

#: the assessment pools of the COS tasks, for the 19 CO+S topics that have a <castitle>
COS_POOLS = (
    "275", "297", "273", "353", "300", "283", "309", "327", "292", "319",
    "321", "325", "301", "315", "265", "361", "364", "349", "279",
)  # fmt: skip

#: the content-and-structure tasks; their topics also ask for certain elements
CAS_TASKS = ("SSCAS", "SVCAS", "VSCAS", "VVCAS")


@dataclass(frozen=True)
class Task:
    """A task with the settings of EvalJ's configuration files. A ``FetchBrowse`` task groups results by article."""

    name: str  #: key TASK
    metrics: tuple[str, ...] = ("nxCG", "ep/gr", "q")  #: key METRICS: keys of `METRICS`
    alpha: tuple[float, ...] = (1.0,)  #: key ALPHA: the discount for text that was seen before
    overlap: tuple[str, ...] = ("on",)  #: key OVERLAP: "on" if text that was seen is discounted
    quant_functions: tuple[str, ...] = ("gen", "strict", "genLifted")  #: key QUANT_FUNCTIONS: quantisations
    dcv: tuple[int, ...] = (10, 25, 50)  #: key DCV: cut-off ranks
    pools: tuple[str, ...] = ()  #: key POOLS: the assessment pools; empty for all pools
    query_type: str = ""  #: key QUERY_TYPE: the type of the topics
    assessments_dir: str = ""  #: key ASSESSMENTS_DIR: the folder of assessments
    submissionruns_dir: str = ""  #: key SUBMISSIONRUNS_DIR: the folder of runs

    def measures(self, curves: bool = False) -> list[str]:
        """Return the names of the task's measures, such as ``nxCG(quantisation=gen,alpha=1,overlap=on)@25``.

        A FetchBrowse task has article-level measures, which ignore overlap, and element-level measures. ``curves`` adds
        measures that return a curve, such as ``ep(…)@curve``.
        """
        return [
            f"{measure}({setting}){cutoff}"
            for setting in self._settings()
            for metric in self.metrics
            for measure, cutoff in self._measures(metric, curves)
        ]

    def _settings(self) -> list[str]:
        """Return every combination of the task's settings, such as ``quantisation=gen,overlap=off``."""
        browsing = self.name.endswith("FetchBrowse")
        level = ",fetch_browse=element" if browsing else ""
        settings = []
        for quantisation in self.quant_functions:
            if browsing:
                settings.append(f"quantisation={quantisation},overlap=off,fetch_browse=article")
            for overlap in self.overlap:
                # alpha has no effect if overlap is off
                alphas = [f"alpha={alpha:.15g}," for alpha in self.alpha] if overlap == "on" else [""]
                settings += [
                    f"quantisation={quantisation},{alpha}overlap={overlap}{level}" for alpha in alphas
                ]
        return settings

    def _measures(self, metric: str, curves: bool) -> list[tuple[str, str]]:
        at_rank, whole, curve = METRICS[metric]
        at_cutoffs = [(measure, f"@{rank}") for measure in at_rank for rank in self.dcv]
        at_cutoffs += [(measure, "") for measure in whole]
        return at_cutoffs + [(measure, "@curve") for measure in curve if curves]


def _inex2005() -> list[Task]:
    focussed = Task("CO.Focussed", query_type="CO+S")
    thorough = replace(focussed, name="CO.Thorough", overlap=("off",))
    browse = replace(focussed, name="CO.FetchBrowse", metrics=("ep/gr",), overlap=("on", "off"))
    tasks = []
    for task in (focussed, thorough, browse):
        tasks += [task, replace(task, name=task.name.replace("CO", "COS"), pools=COS_POOLS)]
    return [*tasks, *(replace(thorough, name=name, query_type="CAS") for name in CAS_TASKS)]


#: the tasks of INEX 2005 by name
INEX2005: dict[str, Task] = {task.name: task for task in _inex2005()}
