include: "workflow/Snakefile"


workflow.default_target = "report"  # Snakemake forgets that of an included file
