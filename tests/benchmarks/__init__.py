"""Benchmarks: each runs something that we did not write beside our code and prints both."""
