"""The application: identity, access, limits, problems, and what every page has."""
