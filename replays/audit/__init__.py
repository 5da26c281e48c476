"""Audits: a match gone through once, with every check."""
