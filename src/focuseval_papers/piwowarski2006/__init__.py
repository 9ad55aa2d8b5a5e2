"""Piwowarski & Dupret, Expected precision-recall with user modelling (EPRUM), SIGIR 2006.

The worked examples, the perturbed runs of Figure 4, and the agreement of EPRUM with EP/GR.
"""
