"""What is said, in every language: catalogues as translators know them, and how they are read."""
