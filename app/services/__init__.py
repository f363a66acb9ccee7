"""The use cases. Each owns its transaction and returns its answer with the news to publish after the commit."""
