"""What is done to matches, whoever asks."""
