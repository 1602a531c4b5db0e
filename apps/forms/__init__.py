"""Forms that an agent renders and people submit."""
