"""Gövert et al. (2006), Table 1: how many elements were assessed with each pair of values."""

#: (exhaustiveness, specificity) of relevant elements, and how many of each the table counts
CELLS = ((3, 3), (3, 2), (3, 1), (2, 3), (2, 2), (2, 1), (1, 3), (1, 2), (1, 1))
ARTICLES = (180, 112, 150, 24, 103, 222, 148, 50, 673)
OTHERS = (1316, 616, 635, 2105, 1779, 1358, 5029, 3872, 8074)
