include: "workflow/Snakefile"


workflow.default_target = "all"  # Snakemake forgets that of an included file
