"""Golden playthroughs: whole matches as text, every event as every seat sees it."""
