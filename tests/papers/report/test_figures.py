"""Heat maps; `tests/report/test_figures.py` checks that no text is cut."""

from pathlib import Path

import matplotlib
import numpy as np
import pandas as pd

from focuseval_papers.report.figures import HeatMapPanel, heat_maps, ink_on, three_digits
from tests.figure_text import figure_text
from tests.snapshots import check


def test_a_heat_map_has_every_number_and_a_scale_and_of_a_symmetric_map_one_half():
    table = pd.DataFrame([[1.0, -0.25], [np.nan, 0.0241]], index=["a", "b"], columns=["a", "b"])
    half = pd.DataFrame([[1.0, 0.5], [0.5, 1.0]], index=["a", "b"], columns=["a", "b"])
    figures = [
        heat_maps([HeatMapPanel("t", one)], "τ", limits)
        for one, limits in ((table, None), (table, (0.0, 2.0)), (half, None))
    ]
    check("---\n".join(map(figure_text, figures)), Path(__file__).with_name("snapshots") / "heat-maps.txt")
    assert [three_digits(value) for value in (0.0, 1.25, 0.5)] == ["0.00", "1.25", "0.500"]


def test_numbers_of_a_heat_map_are_read_on_every_colour():
    for colour in matplotlib.colormaps["Blues"](np.linspace(0, 1, 200))[:, :3]:
        linear = np.where(colour <= 0.04045, colour / 12.92, ((colour + 0.055) / 1.055) ** 2.4)
        lights = sorted((linear @ [0.2126, 0.7152, 0.0722], float(ink_on(colour) == "white")))
        assert (lights[1] + 0.05) / (lights[0] + 0.05) >= 4.5
    assert (ink_on((1, 1, 1)), ink_on((0, 0, 0))) == ("black", "white")
