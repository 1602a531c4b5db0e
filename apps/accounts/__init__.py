"""Who acts: users, organisations, tokens, rights."""
