"""What other apps ask of the tools' rows."""
