"""What every page may use in its templates."""
