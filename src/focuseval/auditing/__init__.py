"""The audit of measures: do scores change as expected when a run is transformed?"""
