"""Code shared by the readers: files and archives, numbers in text, tables, headers, options."""
