"""The greedy bot: ideas, evaluation, foresight, and samples of what it cannot see."""
