"""The events of a run: numbered, kept in memory while they are new, and in the log for good."""
