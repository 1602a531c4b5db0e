"""What can be done with people's accounts, one verb a module."""
