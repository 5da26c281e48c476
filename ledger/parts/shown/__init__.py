"""What games show of themselves: story rows, words of decisions, things of the scene."""
