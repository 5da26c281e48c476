"""A match as a story: sentences, headings, curves, conflicts."""
