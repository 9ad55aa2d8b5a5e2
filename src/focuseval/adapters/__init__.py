"""Adapters that let other libraries use focuseval. Each library has a module."""
