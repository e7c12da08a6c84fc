"""What every remote provider needs: opening by name, faults as our errors, retries."""
