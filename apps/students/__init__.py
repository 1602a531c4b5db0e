"""Students and their classes: a business app that offers tools."""
