"""Output for people: tables, figures, the report."""
