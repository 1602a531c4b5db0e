"""No models, one noun a module: what every layer may use."""
