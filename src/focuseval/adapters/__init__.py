"""Evaluators and data of other libraries, a module each, which imports that library."""
