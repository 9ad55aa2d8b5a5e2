"""A page for exploring a campaign: the text found, the text read again, and differences between runs.

`lists` has the gain of each result, `systems` the comparisons of runs, and `documents` the view of a document.
`contents` collects all data, and `page` renders the page.
"""
