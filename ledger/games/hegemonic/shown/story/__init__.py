"""The story: a file a chapter, with a row for each type of fact."""
