"""Re-projection runs over many matches: jobs, workers, and the results kept on disk.

jobs.py   the input and output of a worker; pure except for the files it reads parts.py  a
job as the queue's workers do it, and its data on their server queued.py the queue's
workers, as a fleet kept_runs.py  runs that the service keeps for callers; short jobs
advance them fleet.py  the fleet's interface, and worker processes on this machine that
implement it run.py    a run: its matches, in jobs of a few seconds, kept so that it can
continue
"""
