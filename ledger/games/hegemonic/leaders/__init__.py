"""Optional leaders: who has which, when they act, and what they do."""
