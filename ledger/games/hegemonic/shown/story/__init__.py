"""The story: sentences, headings, conflicts and curves."""
