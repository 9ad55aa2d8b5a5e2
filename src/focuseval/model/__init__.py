"""Data structures for collections, gold and runs, which consist of columns and know nothing of files or measures."""
