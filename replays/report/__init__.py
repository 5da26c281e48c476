"""Reports: built once, and rendered as text or as a page."""
