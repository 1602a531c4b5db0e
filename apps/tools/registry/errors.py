"""What stops start-up."""


class RegistryError(Exception):
    """A tool is declared wrongly; the text says where, and what to write instead."""
