"""Jobs: work too long for a request, done by workers; results are found by name.

    naming.py    the table of jobs: a name and plain arguments; nothing else is ever called
    desk.py      requests for jobs, each made once, and their states
    shelf.py     results, under the hash of everything they depend on, for a day
    replays.py   the job that makes replays
    audits.py    the jobs that audit a match or a tournament; auditing.py does the auditing
    comparisons.py  the job that compares a match under two sets of rules
    figures.py   counts of jobs that wait, succeeded or failed, and of workers

All of this is on the jobs' server and can be made again. `services.worker` does the work.
"""
