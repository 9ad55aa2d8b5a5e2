"""Adapters that let other libraries use focuseval. Each module is for one library."""
