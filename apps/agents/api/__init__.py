"""Agents over the API."""
