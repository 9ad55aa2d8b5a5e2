"""Every run of the tests tries the same examples; `pytest --hypothesis-profile explore` tries others."""

from hypothesis import settings

settings.register_profile("same", derandomize=True)
settings.register_profile("explore", settings.get_profile("default"))
settings.load_profile("same")
