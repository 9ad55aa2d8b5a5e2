"""Gövert, Fuhr, Lalmas & Kazai (2006): the metrics of INEX 2002 and INEX 2003."""
