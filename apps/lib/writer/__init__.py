"""The writer: one thread and one connection per process for all hot rows."""
