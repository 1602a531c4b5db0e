"""The catalogue of what agents can do for people."""
