"""Gövert, Fuhr, Lalmas & Kazai (2006): the INEX 2002 metric, and that of INEX 2003 with size and overlap."""
