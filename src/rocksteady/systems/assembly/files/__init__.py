"""Files of assemblies."""
