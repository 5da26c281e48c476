"""The running service: settings, embedded servers, the web application, jobs and commands."""
