"""Hegemon's pure heart: the kernel, the rules of each game, and the log they are written to."""
