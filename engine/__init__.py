"""The game of Basra: rules, deals, matches, views and transcripts, on the standard library alone."""
