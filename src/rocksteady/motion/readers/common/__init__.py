"""What the readers share: files and archives, numbers in text, tables, headers, options."""
