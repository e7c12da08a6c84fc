"""How the thresholds of the outcomes and the order of the papers were chosen."""
