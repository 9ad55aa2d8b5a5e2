"""Tables and figures that only reproductions use."""
