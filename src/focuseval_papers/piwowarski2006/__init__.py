"""Piwowarski & Dupret (SIGIR 2006): Expected precision-recall with user modelling (EPRUM)."""
