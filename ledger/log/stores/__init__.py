"""Where logs are kept: in memory, in files, on a server, in segments."""
