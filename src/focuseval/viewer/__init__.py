"""A page for exploring a campaign: which text runs find or repeat, and how runs differ.

`lists` computes the gain of each result, `systems` the comparisons of runs, and `documents` the view of a document.
`contents` collects all data, and `page` renders the page.
"""
