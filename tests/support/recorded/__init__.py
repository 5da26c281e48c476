"""Recorded matches: stored bundles that every later version of the rules must fold as they are."""
