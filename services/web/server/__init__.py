"""How gunicorn runs the application."""
