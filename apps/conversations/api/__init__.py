"""One's own conversations over the API; what streams stands in `apps.protocols`."""
