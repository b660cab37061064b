"""The report of an assessment: one HTML file that needs nothing else and prints on A4."""
