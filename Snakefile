"""What can be asked for: the name of a paper, `significance`, `report`, and `all`, the default."""


configfile: "config/config.yaml"


#: sections of the report in their order; the rules of a paper add theirs
SECTIONS = []

#: names of the measures that runs are scored under, by campaign, size and family (module in
#: `focuseval.measures`); the rules of a paper add theirs with `scored`
MEASURES = {}

#: comparisons of systems that are asked for, by campaign and name; `compared` adds one
COMPARISONS = {}


include: "workflow/rules/common.smk"
include: "workflow/rules/inputs.smk"
include: "workflow/rules/collection.smk"
include: "workflow/rules/judgements.smk"
include: "workflow/rules/runs.smk"
include: "workflow/rules/simulation.smk"
include: "workflow/rules/scores.smk"
include: "workflow/rules/significance.smk"
include: "workflow/rules/goevert2006.smk"
include: "workflow/rules/kazai2005.smk"
include: "workflow/rules/piwowarski2006.smk"
include: "workflow/rules/kamps2007.smk"
include: "workflow/rules/ali2008.smk"
include: "workflow/rules/report.smk"
include: "workflow/rules/progress.smk"


rule all:
    default_target: True
    input:
        rules.report.output[0],
    localrule: True


onsuccess:
    print("Tables, figures and findings: results/report.html")
