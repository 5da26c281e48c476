"""Re-projection runs over many matches: their jobs, their workers and the results kept of them.

batches.py        a job: some matches of a run, and the work on them
run.py            a run: its matches in jobs of a few seconds; results on disk, to go on later
fleet.py          worker processes on this machine
queue_fleet.py    the queue's workers, as a fleet
parts.py          a job as one of the queue's workers does it, with its data on their server
kept.py           runs that the service keeps for callers; short jobs move them along
"""
