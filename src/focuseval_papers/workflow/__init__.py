"""The workflow: its configuration, its requests, and the functions of its jobs."""
