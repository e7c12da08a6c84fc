"""From a question and the papers that were found to sentences that are proven."""
