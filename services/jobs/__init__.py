"""Jobs: work too long for a request, done by workers; results are found by name.

    names.py     the table of jobs: a name and plain arguments; nothing else is ever called
    queue.py     requests for jobs, each made once, their states, and counts for /metrics
    results.py   the recipe that most jobs share, and results, under the hash of everything they
                 depend on, for a day
    replays.py, audits.py, tournament_audits.py, comparisons.py, dossiers.py
                 one job each: everything a result depends on, and how it is made
    reprojection/  many matches under other rules

All of this is on the jobs' server and can be made again. `services.worker` does the work.
"""
