"""Settings and worker with which gunicorn runs the application."""
