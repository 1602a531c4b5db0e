"""What is done with the audit, one verb a module."""
