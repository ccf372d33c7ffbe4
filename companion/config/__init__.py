"""Settings: their model, the config file, and checks across keys."""
