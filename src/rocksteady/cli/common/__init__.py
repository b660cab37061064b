"""What the commands share: options, inputs, tables, progress, files."""
