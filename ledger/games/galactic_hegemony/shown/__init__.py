"""The game as pages and replays show it."""
