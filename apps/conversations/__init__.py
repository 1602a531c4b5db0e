"""Conversations, messages, runs and their events; the host that drives runs."""
