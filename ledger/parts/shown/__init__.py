"""Rows of stories, words of decisions and things of scenes, as games show themselves."""
