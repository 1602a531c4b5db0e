"""One verb a module; tool, API and admin call the same."""
