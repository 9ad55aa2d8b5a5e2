"""The tables of `docs/`, written from what is declared and from what audits found."""
