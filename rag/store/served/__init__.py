"""The index on a Chroma server, for more readers than one machine has."""
