"""The audit of measures: does a score do what it should when a run is transformed?"""
