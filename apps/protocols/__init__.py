"""Wire formats only: chat over WebSocket and SSE, and the server under them."""
