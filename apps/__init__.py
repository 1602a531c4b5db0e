"""The applications of Steward, in layers: `pyproject.toml` says which may import which."""
