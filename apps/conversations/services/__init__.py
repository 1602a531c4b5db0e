"""One verb a module; each checks rights, writes in one transaction, and is called by all doors."""
