"""Language models that write: one protocol, and the providers behind it."""
