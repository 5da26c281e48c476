"""How the game is shown: scenes, sentences, forms, hints."""
