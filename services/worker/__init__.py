"""The worker: does jobs, one at a time, each in a process of its own; `python -m services.worker`.

    loop.py      taking jobs, and taking up those whose worker has ended
    __main__.py  the process

It keeps nothing. `kill -9` does no harm: a job whose worker says nothing for some seconds is done
by another, or by the same once it was started again.
"""
