"""Who runs it: drivers over one scalar `advance`."""
