"""Publications: the schema of their files, the verdicts on their claims, and their tables and figures."""
