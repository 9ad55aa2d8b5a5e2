"""Kazai & Lalmas (2005): the XCG measures at INEX 2005."""
