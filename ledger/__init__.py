"""The pure core of Hegemon: the kernel, the rules of each game, and the log."""
