"""Tables and figures that reproductions alone use."""
