"""Runs of re-projections over many matches: jobs, workers, and what is kept of them on the disk.

jobs.py   what a worker is given and gives back; pure but for the files it reads
parts.py  a job as the workers of the queue do it; what lies of it on their server
queued.py those workers behind the port
kept_runs.py  runs that the service keeps for whoever asked; jobs of a moment move them along
fleet.py  the port, and worker processes on this machine behind it
run.py    a run: which matches, in jobs of a few seconds, kept so that it can go on
"""
