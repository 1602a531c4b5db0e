"""What an agent may call, and the one governed way to call it."""
