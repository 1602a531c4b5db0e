"""What says that the registry's contract has become too narrow; one measurement a module."""
