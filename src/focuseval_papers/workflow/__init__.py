"""The workflow: its configuration, what that asks for, and what its jobs do."""
