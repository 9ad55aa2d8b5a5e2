"""Eskevich et al. (2014): the search task of MediaEval 2014, by its own program (sh_eval), and corrected."""
