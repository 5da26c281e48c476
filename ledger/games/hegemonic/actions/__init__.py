"""Actions: choosing cards, turns, and what each action does."""
