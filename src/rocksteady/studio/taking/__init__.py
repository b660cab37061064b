"""What one takes home from the studio: a script, a study, tables and figures of a case."""
