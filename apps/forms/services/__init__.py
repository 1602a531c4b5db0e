"""What is done with forms, one verb a module, inside the transaction of whoever calls."""
