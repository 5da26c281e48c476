"""Runs of re-projections over many matches: jobs, workers, and what is kept of them on the disk.

jobs.py   what a worker is given and gives back; pure but for the files it reads
fleet.py  the port, and worker processes on this machine behind it
run.py    a run: which matches, in jobs of a few seconds, kept so that it can go on
"""
