"""Settings: the model, the config file, and checks."""
