"""What agents must hold."""
