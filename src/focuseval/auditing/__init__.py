"""The audit of measures: whether scores change as expected if a run is transformed."""
