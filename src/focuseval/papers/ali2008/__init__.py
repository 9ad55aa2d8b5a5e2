"""Ali, Kazai, Consens & Lalmas (2008): the worked examples, and the studies of accuracy and fidelity.

Everything here is a pure function from tables to tables, figures or the paper's part of the report.
"""
