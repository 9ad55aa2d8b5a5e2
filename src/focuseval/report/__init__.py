"""Output for people: tables, figures and the report."""
