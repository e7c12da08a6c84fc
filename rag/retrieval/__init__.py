"""From a question to the papers that may answer it."""
