"""Deals in sentences, buttons, forms and on the scene, in the words that a game gives."""
