"""What requests and answers look like: shape only."""
