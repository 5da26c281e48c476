"""People, accounts and signing in."""
