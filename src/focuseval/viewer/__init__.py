"""A page to look into a campaign: which text was found, what was read twice, and where one run is better.

`lists` says what each result brings, `running` what a measure says after it, `systems` how runs compare,
`documents` what is shown of a document; `contents` puts it together as plain data, and `page` makes the page.
"""
