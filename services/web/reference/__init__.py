"""The API document as a page."""
