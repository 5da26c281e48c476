"""Everything that a page, a command or a process does to matches."""
