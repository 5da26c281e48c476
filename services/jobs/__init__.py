"""Jobs: what takes too long for a request is done by workers, and found again by its name.

    naming.py    which jobs there are: a name, and plain arguments; nothing else is ever called
    desk.py      where a job is asked for, once, and what has become of it
    shelf.py     where results lie, under the hash of all that they depend on, for a day
    replays.py   the job that makes replays
    audits.py    the jobs that audit a match, and a tournament; auditing.py how that is done
    comparisons.py  the job that holds a match under two sets of rules side by side
    figures.py   how many wait, were done, failed, and how many workers there are

All of it lies on the jobs' server and can be made again. `services.worker` does the work.
"""
