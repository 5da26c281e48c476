"""Stores of logs: in memory, in files, on a server, in segments."""
