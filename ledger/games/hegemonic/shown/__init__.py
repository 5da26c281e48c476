"""The game as pages and replays show it: scenes, sentences, forms, hints."""
