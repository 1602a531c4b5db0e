"""What must not leave, as data: rules by kind. No framework here."""
