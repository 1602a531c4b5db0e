"""The chat page: rendered here, driven by the modules in `static/chat`."""
