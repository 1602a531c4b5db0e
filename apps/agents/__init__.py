"""What an agent is: its draft, its published records, the snapshot that runs use."""
