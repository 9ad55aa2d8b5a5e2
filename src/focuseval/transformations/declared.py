"""All transformations, in the order of the table in docs/audit.md."""

from focuseval.transformations import adding, gold, ideal, perturbations, rewriting
from focuseval.transformations.declaration import Transformation

#: the modules that declare transformations
MODULES = (rewriting, adding, ideal, perturbations, gold)

_ORDER = (
    *(rewriting.halves, rewriting.joined, rewriting.children),
    *(adding.twice, adding.larger, adding.smaller),
    *(adding.ancestors, adding.parents, adding.best_child),
    *(rewriting.swapped, rewriting.reversed_lists, rewriting.shuffled, rewriting.ties),
    *(adding.irrelevant, adding.relevant, adding.unjudged),
    *(rewriting.cut, rewriting.first_of_document, rewriting.documents, rewriting.leaves, rewriting.wider),
    *(ideal.ideal, ideal.walks, perturbations.perturbed, perturbations.sinking),
    *(rewriting.fewer_topics, rewriting.more_topics),
    *(gold.shifted, gold.fewer_judgements, gold.second_assessor),
)

#: every transformation by its name
TRANSFORMATIONS: dict[str, Transformation] = {one.name: one for one in _ORDER}
