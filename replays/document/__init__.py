"""The replay document and the files made from it."""
