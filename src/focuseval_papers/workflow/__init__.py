"""The workflow: its configuration, the artefacts that jobs exchange, and the functions of its jobs."""
