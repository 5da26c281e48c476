"""The worker: does jobs one at a time, each in its own process; `python -m services.worker`.

    loop.py      takes jobs, and recovers those whose worker has ended
    __main__.py  the process

It keeps nothing. `kill -9` does no harm: a job whose worker is silent for some seconds is
done by another, or by the same one after its restart.
"""
