"""A page for exploring a campaign: which text runs find or repeat, and how runs differ.

`lists` computes the gain of each result, `systems` compares runs, and `documents` prepares the view of a document.
`contents` collects all data, and `page` renders the page.
"""
