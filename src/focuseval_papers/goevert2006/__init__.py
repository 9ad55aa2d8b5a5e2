"""Gövert, Fuhr, Lalmas & Kazai (2006): the INEX 2002 metric, and the INEX 2003 metric for size and overlap."""
