"""What the catalogue of skills must hold."""
