"""What was done, by whom, in rows that nobody can change; what must not leak."""
