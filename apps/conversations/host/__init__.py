"""The run host: drives the runs that this process holds by a lease."""
