"""Wire formats only: chat over SSE, and the server that carries it."""
