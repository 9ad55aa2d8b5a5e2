"""The audit of measures: do scores change as expected if a run is transformed?"""
