"""What is done with agents: one verb a module."""
