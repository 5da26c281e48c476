"""What starts and runs the processes."""
