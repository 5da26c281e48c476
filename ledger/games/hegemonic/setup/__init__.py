"""Setup: the boards, what is dealt and drafted, and the homes."""
