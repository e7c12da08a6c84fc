"""Text to vectors, and pairs of texts to relevance scores."""
