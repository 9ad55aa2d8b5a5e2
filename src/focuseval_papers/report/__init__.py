"""Tables and figures that only reproductions of papers use."""
