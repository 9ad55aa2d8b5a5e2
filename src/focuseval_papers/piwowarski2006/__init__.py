"""Piwowarski & Dupret, Expected precision-recall with user modelling (EPRUM), SIGIR 2006.

The worked examples, the perturbed runs of Figure 4, and how EPRUM and EP/GR agree.
"""
